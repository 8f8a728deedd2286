"""Under which addresses phones reach this machine, the likeliest first."""

import ipaddress
import json
import shutil
import socket
import subprocess


def reachable(port: int, *, url: str = "") -> tuple[str, ...]:
    """Web addresses of this machine: ``url`` if given, then by number, then ``name.local``.

    Numbers first, since older Android phones do not know ``.local``. Falls back to localhost
    without a network.
    """
    ending = "" if port == 80 else f":{port}"
    found = [url.rstrip("/")] if url else []
    found += [f"http://{address}{ending}" for address in _ranked(_default_route(), _interfaces())]
    name = socket.gethostname().split(".")[0]
    if len(found) > bool(url) and name and name != "localhost":
        found.append(f"http://{name}.local{ending}")
    return tuple(dict.fromkeys(found)) or (f"http://localhost{ending}",)


def _ranked(default: str, interfaces: list[tuple[str, str]]) -> list[str]:
    """The default route's address, then the others; no loopback, link-local or container bridges.

    >>> _ranked("192.168.1.7", [("lo", "127.0.0.1"), ("docker0", "172.17.0.1"),
    ...     ("wlan0", "192.168.1.7"), ("eth0", "10.0.0.3"), ("usb0", "169.254.3.4")])
    ['192.168.1.7', '10.0.0.3']
    """
    usable = [default] if default else []
    for name, address in interfaces:
        number = ipaddress.ip_address(address)
        bridge = name.startswith(("docker", "br-", "veth", "virbr", "tun", "tailscale"))
        if not (bridge or number.is_loopback or number.is_link_local):
            usable.append(address)
    return list(dict.fromkeys(usable))


def _default_route() -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # a documentation address; a datagram socket sends nothing here
        except OSError:
            return ""
        return str(probe.getsockname()[0])


def _interfaces() -> list[tuple[str, str]]:
    if shutil.which("ip") is None:
        return []
    told = subprocess.run(["ip", "-j", "-4", "addr"], capture_output=True, text=True, check=False)
    if told.returncode:
        return []
    return [
        (link["ifname"], info["local"])
        for link in json.loads(told.stdout)
        for info in link.get("addr_info", ())
    ]
