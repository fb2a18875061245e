import Quantities

extension GPSDDecoder {
  /// A place that one report calls valid stays for this long whatever others say of the same instant; after
  /// it, it is another instant whose time a device fails to tell, s.
  private static let longestInstant = 1.0

  /// Takes an object by its class.
  mutating func take(
    _ header: GPSDHeader, _ reader: inout JSONReader, at timestamp: Timestamp,
    _ body: (ReceiverReport) -> Void
  ) {
    if header.name.is("TPV") {
      let fix = GPSDFix(&reader)
      guard !reader.isBroken, let index = index(of: header.device) else { return }
      take(fix, from: index, at: timestamp, body)
    } else if header.name.is("SKY") {
      guard let index = index(of: header.device) else { return reader.pass() }
      devices[index].sky.readSky(&reader, at: timestamp)
      if reader.isBroken { devices[index].sky.isViewNew = false }
    } else if header.name.is("GST") {
      guard let index = index(of: header.device) else { return reader.pass() }
      devices[index].sky.readErrors(&reader, at: timestamp)
    } else if header.name.is("ATT") {
      let report = HeadingReport(&reader, at: timestamp)
      guard !reader.isBroken, let report, let index = index(of: header.device) else { return }
      guard headingChoice.uses(index, of: devices, at: timestamp) else {
        counts.otherDevices += 1
        return
      }
      (devices[index].isActive, devices[index].isListed) = (true, true)
      devices[index].lastHeading = timestamp
      body(.heading(report))
    } else {
      takeOfDaemon(header, &reader)
    }
  }

  private mutating func take(
    _ told: GPSDFix, from index: Int, at timestamp: Timestamp, _ body: (ReceiverReport) -> Void
  ) {
    var fix = told
    var isRevision = false
    if let earlier = devices[index].fix, fix.utc != nil, earlier.utc == fix.utc {
      let age = timestamp.seconds(since: devices[index].instantBegan)
      if fix.mode >= 2 {
        fix.add(earlier)
        isRevision = true
      } else if earlier.mode >= 2, age < Self.longestInstant {
        counts.repeated += 1
        return
      }
    }
    if !isRevision {
      devices[index].instantBegan = timestamp
      devices[index].isInstantTold = false
    }
    let isRepeated = isRevision && devices[index].fix == fix
    devices[index].fix = fix
    (devices[index].isActive, devices[index].isListed) = (true, true)
    guard choice.uses(index, of: devices, at: timestamp) else {
      counts.otherDevices += 1
      return
    }
    guard fix.mode < 2 || fix.hasPlace else {
      counts.withoutPlace += 1
      return
    }
    // A clock that stands still makes no fresh fix, so it does not count as heard either.
    guard !isRepeated else {
      counts.repeated += 1
      return
    }
    devices[index].lastEpoch = timestamp
    var epoch = ReceiverEpoch(
      fix, sky: devices[index].sky, at: devices[index].instantBegan, now: timestamp)
    epoch.isRevision = devices[index].isInstantTold
    devices[index].isInstantTold = true
    devices[index].sky.isViewNew = false
    body(.epoch(epoch))
  }
}
