"""Home Assistant Core with its MQTT integration at a broker of this machine: prints its device and entities as JSON after some seconds.

Usage: PYTHON home_assistant.py PORT SECONDS, with PyPI's homeassistant, paho-mqtt and aiohttp_cors. Home Assistant runs without its web
interface, from a new folder; its own port is that of the broker plus one."""
import asyncio, json, os, sys, tempfile

from homeassistant import bootstrap
from homeassistant.helpers import device_registry, entity_registry
from homeassistant.runner import RuntimeConfig


def stored_entry(port):
    """The MQTT integration as a user's dialogue stores it."""
    when = "2026-01-01T00:00:00+00:00"
    return {"version": 1, "minor_version": 5, "key": "core.config_entries", "data": {"entries": [{
        "created_at": when, "modified_at": when, "data": {"broker": "127.0.0.1", "port": port}, "disabled_by": None,
        "discovery_keys": {}, "domain": "mqtt", "entry_id": "peer", "minor_version": 2, "options": {},
        "pref_disable_new_entities": False, "pref_disable_polling": False, "source": "user", "subentries": [], "title": "peer",
        "unique_id": None, "version": 1}]}}


async def main(port, seconds, folder):
    bootstrap.DEFAULT_INTEGRATIONS = bootstrap.CRITICAL_INTEGRATIONS = set()
    os.makedirs(folder + "/.storage")
    with open(folder + "/.storage/core.config_entries", "w") as file:
        json.dump(stored_entry(port), file)
    with open(folder + "/configuration.yaml", "w") as file:
        file.write(f"homeassistant:\nhttp:\n  server_host: 127.0.0.1\n  server_port: {port + 1}\n")
    hass = await bootstrap.async_setup_hass(
        RuntimeConfig(config_dir=folder, skip_pip=True, safe_mode=False, verbose=False))
    if hass is None:
        sys.exit("Home Assistant does not start")
    await hass.async_start()
    await asyncio.sleep(seconds)
    devices = [{"name": one.name, "sw_version": one.sw_version} for one in device_registry.async_get(hass).devices.values()]
    entities = {}
    for one in entity_registry.async_get(hass).entities.values():
        if one.platform == "mqtt" and (state := hass.states.get(one.entity_id)):
            entities[one.entity_id] = {"unique_id": one.unique_id, "state": state.state, **state.attributes}
    print("RESULT " + json.dumps({"devices": devices, "entities": entities}, default=str, ensure_ascii=False))
    await hass.async_stop()


with tempfile.TemporaryDirectory() as folder:
    asyncio.run(main(int(sys.argv[1]), float(sys.argv[2]), folder))
