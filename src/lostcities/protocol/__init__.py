"""The wire: messages between the page (or a program) and the room."""
