"""What is said of microphones; they are heard in tests/rig."""

import pytest

from hardware.microphone import AUTO, Found, Microphone, age_s, choose, list_microphones, load
from hardware.sound import SoundFault
from hardware.soundfaults import TOLD_EVERY_S, Losses, explain

HDMI = Found(0, "vc4-hdmi: capture (hw:0,0)", 2, 48000, default=False)
USB = Found(2, "USB PnP Sound Device: Audio (hw:1,0)", 1, 44100, default=True)
I2S = Found(3, "snd_rpi_googlevoicehat_soundcar (hw:2,0)", 2, 48000, default=False)
ALL = (HDMI, USB, I2S)


@pytest.mark.parametrize(
    ("device", "found"),
    [(AUTO, USB), ("", USB), ("usb pnp", USB), ("voicehat", I2S), (3, I2S), (USB.name, USB)],
)
def test_a_microphone_is_chosen_by_part_of_its_name(device, found):
    assert choose(ALL, device) is found


def test_the_first_is_taken_where_the_system_has_no_choice():
    assert choose((HDMI, I2S), AUTO) is HDMI


def test_an_exact_name_goes_before_a_longer_one():
    short, long = Found(0, "USB", 1, 48000, default=False), Found(1, "USB 2", 1, 48000, default=False)
    assert choose((long, short), "usb") is short


@pytest.mark.parametrize(
    ("found", "device", "said", "remedy"),
    [
        ((), AUTO, "There is no microphone", "Plug one in"),
        (ALL, "blue yeti", "There is no microphone 'blue yeti'.*USB PnP", "Plug it in"),
        (ALL, 7, "There is no microphone 7", "Plug it in"),
        (ALL, "hw:", "Several microphones are called 'hw:'", "more of the name"),
    ],
)
def test_what_cannot_be_chosen_is_named(found, device, said, remedy):
    with pytest.raises(SoundFault, match=said) as fault:
        choose(found, device)
    assert remedy in fault.value.remedy


@pytest.mark.parametrize(
    ("error", "said", "remedy"),
    [
        (ModuleNotFoundError("No module named 'sounddevice'"), "not installed", "pip install"),
        (OSError("PortAudio library not found"), "PortAudio is not installed", "libportaudio2"),
        (
            RuntimeError("Error opening InputStream: Device unavailable [PaErrorCode -9985]"),
            "holds",
            "fuser",
        ),
        (RuntimeError("Invalid sample rate [PaErrorCode -9997]"), "sample rates", "plughw"),
        (RuntimeError("Invalid number of channels [PaErrorCode -9998]"), "records nothing", "doctor"),
        (RuntimeError("Unanticipated host error [PaErrorCode -9999]"), "refused", "arecord -l"),
        (RuntimeError("something else"), "something else", "doctor"),
    ],
)
def test_errors_become_sentences_with_remedies(error, said, remedy):
    fault = explain(error)
    assert said in fault.text
    assert remedy in fault.remedy


def test_an_age_that_cannot_be_is_not_believed():
    assert age_s(0.03, 0.01) == 0.03
    assert age_s(-0.5, 0.01) == age_s(0.0, 0.01) == age_s(1e9, 0.01) == 0.01


def test_lost_sound_is_said_once_a_minute_and_when_it_is_over():
    said = []
    losses = Losses(said.append)
    losses.count(0, 0.0)
    losses.count(1, 1.0)
    losses.count(5, 2.0)
    assert [n.state for n in said] == ["sound lost"]
    assert "too busy" in said[0].text
    losses.count(6, 1.5 + TOLD_EVERY_S)
    assert [n.state for n in said] == ["sound lost", "sound lost"]
    losses.count(6, 3 + 2 * TOLD_EVERY_S)
    losses.count(6, 4 + 3 * TOLD_EVERY_S)
    assert [n.state for n in said] == ["sound lost", "sound lost", "whole"]


def test_a_microphone_that_is_not_open_says_so_and_closes_twice():
    microphone = Microphone()
    microphone.close()
    microphone.close()
    with pytest.raises(SoundFault, match="not open"):
        microphone.next(0)


def test_a_missing_microphone_is_a_fault_with_its_remedy():
    """Whatever this machine has: no library, no device, or others than this one."""
    with pytest.raises(SoundFault) as fault:
        Microphone("no microphone has this name").start()
    assert fault.value.remedy


def test_microphones_are_listed():
    try:
        load()
    except SoundFault as fault:
        pytest.skip(fault.text)
    assert all(one.channels > 0 and one.rate > 0 for one in list_microphones())
