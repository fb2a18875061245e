import Quantities

extension GPSDDecoder {
  /// More devices than any daemon has: a stream that invents them cannot grow the memory.
  private static let mostDevices = 16

  /// What the daemon says of itself and of its devices.
  mutating func takeOfDaemon(_ header: GPSDHeader, _ reader: inout JSONReader) {
    if header.name.is("VERSION") {
      takeVersion(&reader)
    } else if header.name.is("DEVICES") {
      takeList(&reader)
    } else if header.name.is("DEVICE") {
      guard let device = ToldDevice(&reader), !reader.isBroken else { return }
      guard let index = index(of: device.path) else { return }
      // A bare DEVICE that does not say whether it is active only tells its settings.
      if let isActive = device.isActive { setActive(isActive, index) }
    } else if header.name.is("ERROR") {
      guard reader.beginObject() else { return }
      counts.errors += 1
      while let key = reader.nextKey() {
        if key.is("message") { complaint = reader.text()?.meaning } else { reader.pass() }
      }
    } else {
      if !header.name.is("WATCH") { counts.otherClasses += 1 }
      reader.pass()
    }
  }

  /// The place of a device in the list, where a new one is put in.
  mutating func index(of path: JSONText?) -> Int? {
    for index in devices.indices {
      if path.map({ $0.means(devices[index].path) }) ?? devices[index].path.isEmpty {
        return index
      }
    }
    let device = GPSDDevice(path: path?.meaning ?? [], isActive: true)
    if devices.count < Self.mostDevices {
      devices.append(device)
      return devices.count - 1
    }
    guard
      let free = devices.firstIndex(where: { !$0.isListed })
        ?? devices.firstIndex(where: { !$0.isActive })
    else { return nil }
    devices[free] = device
    return free
  }

  private mutating func takeVersion(_ reader: inout JSONReader) {
    guard reader.beginObject() else { return }
    var version = Version(release: [])
    while let key = reader.nextKey() {
      if key.is("release") {
        version.release = reader.text()?.meaning ?? []
      } else if key.is("proto_major") {
        version.major = reader.integer()
      } else if key.is("proto_minor") {
        version.minor = reader.integer()
      } else {
        reader.pass()
      }
    }
    // A chained daemon passes on the versions of others; the first one is the one that we speak with.
    if self.version == nil { self.version = version }
  }

  /// The whole list: what is not in it is gone.
  private mutating func takeList(_ reader: inout JSONReader) {
    guard reader.beginObject() else { return }
    // One bit a place in `devices`.
    var listed: UInt32 = 0
    var isWhole = true
    while let key = reader.nextKey() {
      // A chained daemon's list is of its own devices only.
      if key.is("remote"), reader.isText() {
        isWhole = reader.text()?.bytes.isEmpty ?? true
        continue
      }
      guard key.is("devices") else {
        reader.pass()
        continue
      }
      guard reader.beginArray() else { continue }
      while reader.nextElement() {
        guard let device = ToldDevice(&reader), let index = index(of: device.path) else { continue }
        listed |= 1 << UInt32(index)
        devices[index].isListed = true
        // In the list an idle device lacks the time of its activation.
        setActive(device.isActive ?? false, index)
      }
    }
    guard !reader.isBroken else { return }
    hasDeviceList = true
    guard isWhole else { return }
    for index in devices.indices where listed & 1 << UInt32(index) == 0 {
      devices[index].isListed = false
      setActive(false, index)
    }
  }

  private mutating func setActive(_ isActive: Bool, _ index: Int) {
    if isActive {
      (devices[index].isActive, devices[index].isListed) = (true, true)
    } else {
      devices[index].deactivate()
      choice.lost(index)
      headingChoice.lost(index)
    }
  }

  /// A DEVICE object.
  /// - Source: gpsd_json(5) of gpsd 3.22, "?DEVICE": `activated` is a time, absent of an idle device, and 0
  ///   in the notice of one that was closed.
  private struct ToldDevice {
    var path: JSONText
    var isActive: Bool?

    init?(_ reader: inout JSONReader) {
      guard reader.beginObject() else { return nil }
      var path: JSONText?
      while let key = reader.nextKey() {
        if key.is("path") {
          path = reader.text()
        } else if key.is("activated") {
          if reader.isText() {
            reader.pass()
            isActive = true
          } else {
            isActive = reader.number().map { $0 > 0 }
          }
        } else {
          reader.pass()
        }
      }
      guard let path else { return nil }
      self.path = path
    }
  }
}
