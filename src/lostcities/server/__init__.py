"""The room on the network: routes, sockets, sessions, settings."""
