"""Browsers for tests: Debian's Chromium, driven by Playwright."""

import shutil
from pathlib import Path

import pytest

CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
)


@pytest.fixture(scope="session")
def chromium():
    playwright = pytest.importorskip("playwright.sync_api")
    if not Path(CHROMIUM).exists():
        pytest.skip("no chromium here: apt install chromium")
    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def browse(chromium):
    """Open browsers that fail the test if a page logs an error."""
    contexts, faults = [], []

    def open_one(scheme="light", **more):
        context = chromium.new_context(color_scheme=scheme, bypass_csp=False, **more)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(30_000)
        page.on("pageerror", lambda fault: faults.append(str(fault)))
        page.on("console", lambda said: faults.append(said.text) if _counts(said) else None)
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert not faults, faults


def _counts(said):
    return said.type == "error" and "Failed to load resource" not in said.text
