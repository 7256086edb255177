"""What is pushed to browsers: sealed, signed, to the open internet alone, and tried again."""

import asyncio
import ipaddress
import time

import pytest

from lostcities.service.notices import endpoints
from lostcities.service.notices.endpoints import EndpointError, is_open, open_addresses, origin_of
from lostcities.service.notices.post import Again, Parcel, Post, pause_before
from lostcities.service.notices.push import (
    FACT,
    Letter,
    PushSettings,
    WebPush,
    checked_keys,
    installed,
)
from lostcities.store.notices import PushTarget
from memory_store import MemoryStore
from push_service import PushService, Reader, packed, push_service, signature_of, unpacked

CONTACT = "mailto:host@cards.example.org"
LETTER = Letter(b'{"title":"Your turn"}', 600, "topic", urgent=False)

# RFC 8291, section 5 and appendix A.
RFC_BODY = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6Tlz"
    "AC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)
RFC_PRIVATE = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"
RFC_AUTH = "BTBZMqHH6r4Tts7J_aSIgg"


def test_the_tests_read_letters_as_the_standard_has_it() -> None:
    from cryptography.hazmat.primitives.asymmetric import ec

    private = ec.derive_private_key(int.from_bytes(unpacked(RFC_PRIVATE), "big"), ec.SECP256R1())
    reader = Reader(private, unpacked(RFC_AUTH))
    assert reader.open(unpacked(RFC_BODY)) == b"When I grow up, I want to be a watermelon"


def target(service: PushService, who: str = "ada") -> PushTarget:
    said = service.subscription(who)
    return PushTarget(said["endpoint"], said["key"], said["secret"], "en")


def pusher(service: PushService, store: MemoryStore) -> WebPush:
    return WebPush(store, PushSettings(CONTACT, anywhere=True, trust=service.trust))


async def test_a_letter_is_sealed_for_its_browser_and_signed_by_the_room() -> None:
    store = MemoryStore()
    with push_service() as service:
        push = pusher(service, store)
        pushed = await push.send(target(service), LETTER)
        await push.close()
    assert (pushed.sent, pushed.status, pushed.again) == (True, 201, None)
    (letter,) = service.letters
    assert LETTER.body not in letter.body
    assert service.readers["ada"].open(letter.body) == LETTER.body
    claims, key = signature_of(letter.headers["authorization"])
    assert key == await push.key()
    assert claims["aud"] == service.url
    assert claims["sub"] == CONTACT
    assert 0 < claims["exp"] - time.time() <= 24 * 3600
    told = {name: letter.headers[name] for name in ("ttl", "topic", "urgency", "content-encoding")}
    assert told == {
        "ttl": "600", "topic": "topic", "urgency": "normal", "content-encoding": "aes128gcm",
    }  # fmt: skip


async def test_the_key_is_made_once_and_kept() -> None:
    store = MemoryStore()
    first = WebPush(store, PushSettings(CONTACT))
    keys = await asyncio.gather(*(first.key() for _ in range(5)))
    assert len(set(keys)) == 1
    assert await WebPush(store, PushSettings(CONTACT)).key() == keys[0]
    private, public = store.facts[FACT].split()
    assert (len(unpacked(private)), len(unpacked(public)), public) == (32, 65, keys[0])


@pytest.mark.parametrize(
    ("status", "sent", "gone", "again"),
    [
        (200, True, False, False),
        (202, True, False, False),
        (301, False, False, False),
        (400, False, False, False),
        (403, False, False, False),
        (404, False, True, False),
        (410, False, True, False),
        (413, False, False, False),
        (429, False, False, True),
        (500, False, False, True),
        (503, False, False, True),
    ],
)
async def test_what_a_push_service_answers(
    status: int, sent: bool, gone: bool, again: bool
) -> None:
    with push_service() as service:
        service.statuses = [status]
        service.headers = {"retry-after": "7", "location": f"{service.url}/elsewhere"}
        push = pusher(service, MemoryStore())
        pushed = await push.send(target(service), LETTER)
        await push.close()
    assert (pushed.sent, pushed.gone, pushed.again is not None) == (sent, gone, again)
    assert len(service.letters) == 1, "a redirect is not followed"
    assert pushed.again is None or pushed.again.after == 7


async def test_a_service_with_another_s_certificate_gets_nothing() -> None:
    with push_service() as service, push_service() as another:
        push = WebPush(MemoryStore(), PushSettings(CONTACT, anywhere=True, trust=another.trust))
        pushed = await push.send(target(service), LETTER)
        await push.close()
        assert service.letters == []
    assert pushed.status is None
    assert pushed.again is not None


# ---- where to -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://push.example.org/x",
        "https://push.example.org:8443/x",
        "https://push.example.org:99999/x",
        "https://user:word@push.example.org/x",
        "https://push.example.org/x#part",
        "https://push.example.org/a b",
        "https://pûsh.example.org/x",
        "https://localhost/x",
        "https://printer/x",
        "https://127.0.0.1/x",
        "https://10.0.0.7/x",
        "https://192.168.1.1/x",
        "https://169.254.169.254/latest/meta-data",
        "https://100.64.0.1/x",
        "https://0.0.0.0/x",
        "https://[::1]/x",
        "https://[fe80::1]/x",
        "https://[fd00::1]/x",
        "https://[::ffff:10.0.0.7]/x",
        "https://[64:ff9b::10.0.0.7]/x",
        "https://[2002:0a00:0007::1]/x",
        "https://[::/x",
        "https:///x",
        "ftp://push.example.org/x",
        "javascript:alert(1)",
        "",
    ],
)
def test_nothing_is_pushed_into_private_networks(endpoint: str) -> None:
    with pytest.raises(EndpointError):
        origin_of(endpoint)


@pytest.mark.parametrize(
    ("endpoint", "origin"),
    [
        ("https://push.example.org/send/abc?x=1", "https://push.example.org"),
        ("https://push.example.org:443/x", "https://push.example.org"),
        ("https://Push.Example.ORG/x", "https://push.example.org"),
        ("https://9.9.9.9/x", "https://9.9.9.9"),
    ],
)
def test_a_push_service_is_in_the_open(endpoint: str, origin: str) -> None:
    assert origin_of(endpoint) == origin


def test_addresses_are_judged_however_they_are_written() -> None:
    shut = ["224.0.0.1", "255.255.255.255", "240.0.0.1", "::", "ff02::1", "2001:0:1::1"]
    assert [a for a in shut if is_open(ipaddress.ip_address(a))] == []
    opened = ["9.9.9.9", "2620:fe::fe", "64:ff9b::9.9.9.9"]
    assert [a for a in opened if not is_open(ipaddress.ip_address(a))] == []


async def test_a_name_that_leads_home_is_not_followed() -> None:
    """A name may pass when it is looked at and lead elsewhere when it is asked: it is asked once."""
    with pytest.raises(EndpointError, match="private network"):
        await open_addresses("localhost", 443)
    assert await open_addresses("localhost", 443, anywhere=True)
    with push_service() as service:
        said = target(service)
        push = WebPush(MemoryStore(), PushSettings(CONTACT, trust=service.trust))
        pushed = await push.send(said, LETTER)
        assert (pushed.status, service.letters) == (None, [])
        await push.close()


async def test_the_address_is_looked_at_when_connecting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the endpoint looked like when it was taken."""
    with push_service() as service:
        monkeypatch.setattr(endpoints, "PORT", int(service.url.rpartition(":")[2]))
        monkeypatch.setattr(endpoints, "_must_be_a_name", lambda _host: None)
        push = WebPush(MemoryStore(), PushSettings(CONTACT, trust=service.trust))
        pushed = await push.send(target(service), LETTER)
        await push.close()
        assert "private network" in pushed.why
        assert service.letters == []


@pytest.mark.parametrize(
    ("key", "secret"),
    [
        ("A" * 87, packed(b"sixteen bytes ok")),
        (packed(Reader().public), packed(b"short")),
        (packed(Reader().public)[:-2], packed(b"sixteen bytes ok")),
        ("é" * 87, packed(b"sixteen bytes ok")),
    ],
    ids=["no point", "short secret", "short key", "no base64"],
)
def test_keys_that_are_none_are_refused(key: str, secret: str) -> None:
    with pytest.raises(EndpointError):
        checked_keys(key, secret)
    checked_keys(**Reader().keys())


def test_the_packages_are_here() -> None:
    assert installed()


# ---- the post -----------------------------------------------------------------------------------


def no_pause(_tries: int, _asked: float | None) -> float:
    return 0.0


async def drained(post: Post) -> None:
    for _ in range(50):
        await asyncio.sleep(0.002)
    await post.close()


async def test_what_may_go_through_later_is_tried_again_and_given_up() -> None:
    post, tried = Post(no_pause), []

    async def never() -> Again | None:
        tried.append("never")
        return Again("down", 3)

    async def second() -> Again | None:
        tried.append("second")
        return Again("busy") if tried.count("second") == 1 else None

    async def broken() -> Again | None:
        tried.append("broken")
        raise RuntimeError("a defect")

    for send in (never, second, broken):
        assert post.put(Parcel("a test", send))
    await drained(post)
    assert {each: tried.count(each) for each in set(tried)} == {
        "never": 6, "second": 2, "broken": 1,
    }  # fmt: skip


async def test_the_post_is_bounded() -> None:
    post, go = Post(no_pause, waiting=3), asyncio.Event()

    async def wait() -> Again | None:
        await go.wait()
        return None

    assert [post.put(Parcel("a test", wait)) for _ in range(4)] == [True, True, True, False]
    await post.close()


def test_pauses_grow_and_respect_what_was_asked() -> None:
    for _ in range(50):
        for tries, longest in enumerate((5, 20, 80, 320), start=1):
            assert longest / 2 <= pause_before(tries, None) <= longest
    assert pause_before(1, 40) == 40
    assert pause_before(9, None) == 600
    assert pause_before(1, 3600) == 3600
    assert pause_before(1, 99_999) == 86_400
