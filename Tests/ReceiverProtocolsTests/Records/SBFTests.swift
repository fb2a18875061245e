import Quantities
import ReceiverProtocols
import TestSupport
import Testing

@Suite("Septentrio's SBF", .timeLimit(.minutes(30)))
struct SBFTests {
  private static let cycle =
    SBFBlocks.position + SBFBlocks.positionCovariance + SBFBlocks.velocityCovariance
    + SBFBlocks.dilutions + SBFBlocks.end

  @Test("the blocks of an instant make one epoch, which EndOfPVT ends")
  func epoch() throws {
    let all = epochs(Self.cycle)
    #expect(all.count == 1)
    let epoch = try #require(all.first)
    #expect(!epoch.isRevision)
    let fix = epoch.validFix
    #expect(fix.kind == .rtkFixed && epoch.dimension == .three)
    expectNear(fix.position?.latitude.degrees, 50.8, 1e-12)
    expectNear(fix.position?.longitude.degrees, 4.7, 1e-12)
    expectNear(fix.ellipsoidalAltitudeMetres, 131.237)
    expectNear(fix.altitudeMetres, 86.117, 1e-5)
    // The square roots of the variances; HAccuracy and VAccuracy are 0.03 and 0.05 m, two sigma.
    expectNear(fix.horizontalAccuracyMetres, 0.0360555, 1e-6)
    expectNear(fix.verticalAccuracyMetres, 0.05, 1e-6)
    expectNear(epoch.latitudeErrorMetres, 0.02)
    expectNear(epoch.longitudeErrorMetres, 0.03)
    expectNear(fix.speedMetresPerSecond, 2.7950850, 1e-6)
    expectNear(fix.course?.degrees, 296.565, 1e-5)
    expectNear(fix.verticalSpeedMetresPerSecond, 0.125)
    expectNear(fix.velocity?.metresPerSecond.y, -2.5)
    expectNear(fix.correctionAgeSeconds, 1.2)
    #expect(fix.satellitesUsed == 27)
    expectNear(epoch.positionDilution, 1.45)
    expectNear(epoch.timeDilution, 0.88)
    expectNear(fix.horizontalDilution, 0.75)
    expectNear(epoch.verticalDilution, 1.24)
    let covariance = try #require(fix.positionCovarianceSquareMetres)
    expectNear(covariance.r0.y, 0.0001)
    // Down is the opposite of the height.
    expectNear(covariance.r0.z, -0.0002)
    expectNear(covariance.r1.z, 0.0003)
    let velocity = try #require(fix.velocityCovarianceSquareMetresPerSecondSquared)
    expectNear(velocity.r2.z, 0.09)
    expectNear(velocity.r1.z, -0.003)
    expectNear(fix.speedAccuracyMetresPerSecond, 0.158114, 1e-5)
    // Week 2401, 218 735.2 s, less 18.
    #expect(fix.utc == UTCTime(gpsWeek: 2401, nanosecondsOfWeek: 218_717_200_000_000))
  }

  @Test("PVTGeodetic alone makes a fix with its own accuracies")
  func position() throws {
    let all = epochs(SBFBlocks.position + SBFBlocks.nextPosition)
    #expect(all.count == 2)
    let fix = try #require(all.first?.validFix)
    expectNear(fix.horizontalAccuracyMetres, 0.015)
    expectNear(fix.verticalAccuracyMetres, 0.025)
    #expect(all.first?.isTimeResolved == false)
  }

  @Test("values that are marked as not to be used are nil")
  func unknown() throws {
    let epoch = try #require(epochs(SBFBlocks.noFix).first)
    #expect(epoch.dimension == .none && epoch.fix.position == nil)
    #expect(epoch.fix.satellitesUsed == nil && epoch.fix.utc != nil)
    let record = try #require(records(SBFBlocks.noFix).first)
    #expect(record.position == nil && record.ellipsoidalHeightMetres == nil)
    #expect(record.velocity == nil && record.course == nil && record.correctionAgeSeconds == nil)
    #expect(record.horizontalAccuracyMetres == nil && record.verticalAccuracyMetres == nil)
    #expect(record.geoidSeparationMetres == nil)
    #expect(records(SBFBlocks.noCovariance).first?.positionCovarianceSquareMetres == nil)
    #expect(records(SBFBlocks.noDilutions).first?.positionDilution == nil)
    #expect(headings(SBFBlocks.noAttitude).isEmpty)
  }

  @Test("the attitude has the accuracies of its instant, whether they come first or later")
  func attitude() throws {
    let all = headings(
      SBFBlocks.attitude + SBFBlocks.attitudeErrors + SBFBlocks.nextAttitude
        + SBFBlocks.nextAttitudeErrors)
    // The first one is reported at once, because no accuracies have come before.
    #expect(all.count == 3)
    #expect(all.first?.headingAccuracy == nil)
    for (report, heading) in zip(all.dropFirst(), [123.456, 124]) {
      expectNear(report.trueHeading?.angle.degrees, heading, 1e-5)
      expectNear(report.pitch?.degrees, -1.5)
      expectNear(report.roll?.degrees, 0.25)
      expectNear(report.headingAccuracy?.degrees, 0.2)
      expectNear(report.pitchAccuracy?.degrees, 0.3)
      expectNear(report.rollAccuracy?.degrees, 0.4)
    }
    // Accuracies that do not come are not waited for longer than until the next block or the end.
    let late = headings(
      SBFBlocks.attitudeErrors + SBFBlocks.attitude + SBFBlocks.nextPosition
        + SBFBlocks.nextAttitude)
    #expect(late.map { $0.headingAccuracy == nil } == [true, true])
  }

  @Test("only fixed ambiguities have a direction, and two antennas no roll")
  func ambiguities() throws {
    #expect(headings(SBFBlocks.floatAttitude).isEmpty)
    let two = try #require(headings(SBFBlocks.twoAntennas).first)
    expectNear(two.trueHeading?.angle.degrees, 123.456, 1e-5)
    #expect(two.roll == nil)
  }

  @Test("ReceiverTime gives the leap seconds")
  func leapSeconds() throws {
    let known = try #require(epochs(SBFBlocks.time + SBFBlocks.position).first)
    #expect(known.leapSeconds == 18 && known.isTimeResolved == true)
    let other = try #require(epochs(SBFBlocks.otherLeapSeconds + SBFBlocks.position).first)
    expectNear(known.fix.utc?.seconds(since: try #require(other.fix.utc)), 1)
  }

  @Test("blocks and sentences of one instant make one epoch")
  func besideSentences() throws {
    let text = sentence("GPGGA,124517.20,5048.0000,N,00442.0000,E,4,27,0.8,86.1,M,45.1,M,1.2,0000")
    let all = epochs(Array(text.utf8) + SBFBlocks.position)
    #expect(all.count == 1)
    expectNear(all.first?.fix.horizontalAccuracyMetres, 0.015)
  }

  @Test("a false start of a block hides no sentence, and a sentence is none of a block")
  func falseStarts() {
    let good = Array(sentence("GPHDT,1.0,T").utf8)
    for start in [
      "$@", "$$@", "$@$", "$@ABCDEFGHIJKLMNOP", "$GPHDT,$@", "$@\u{0}\u{0}\u{0}\u{0}\u{0}\u{4}",
    ] {
      let (sentences, _) = decode(Array(start.utf8) + good)
      #expect(sentences.count == 1, "\(start)")
    }
    var damaged = SBFBlocks.position
    damaged[40] ^= 1
    let (sentences, counts) = decode(damaged + good + SBFBlocks.position)
    #expect(sentences.count == 1 && counts.otherFrames == 1 && counts.noiseBytes > 0)
  }

  @Test("a stream of blocks gives the same wherever it is divided")
  func splits() {
    expectSplitsAgree(
      Array(SBFBlocks.position.prefix(50)) + Self.cycle + Array(sentence("GPHDT,1.0,T").utf8)
        + SBFBlocks.attitude + SBFBlocks.attitudeErrors + SBFBlocks.measurements
        + SBFBlocks.nextPosition)
  }

  @Test("ReceiverStatus and RFStatus state antenna, interference, spoofing and a restart")
  func trouble() throws {
    func epoch(_ blocks: [UInt8]) throws -> ReceiverEpoch {
      try #require(epochs(blocks + Self.cycle).last)
    }
    let bad = try epoch(SBFBlocks.antennaError + SBFBlocks.disturbed)
    #expect(
      bad.signals.troubles == ["antenna short-circuited", "interference", "spoofing indicated"])
    #expect(bad.uptimeSeconds == 123)
    let good = try epoch(
      SBFBlocks.antennaError + SBFBlocks.disturbed + SBFBlocks.restarted + SBFBlocks.undisturbed)
    #expect(good.signals.troubles.isEmpty && good.uptimeSeconds == 4)
    #expect(good.signals.interference == SignalState.Interference.none)
    #expect(good.signals.spoofing == SignalState.Spoofing.none && good.signals.antenna == nil)
    let none = try epoch([])
    #expect(none.signals.isEmpty && none.uptimeSeconds == nil)
    var watch = FixWatch()
    for (second, block) in [SBFBlocks.antennaError, SBFBlocks.restarted].enumerated() {
      var epoch = try epoch(block)
      epoch.fix.position = nil
      watch.add(epoch, at: Timestamp(nanoseconds: UInt64(second + 1) * 1_000_000_000))
    }
    #expect(watch.loss(at: Timestamp(nanoseconds: 2_000_000_000))?.cause == .restarted)
  }

  @Test("QualityInd gives the receiver's estimates of itself")
  func quality() throws {
    let good = try #require(epochs(SBFBlocks.goodQuality + Self.cycle).last?.signals.quality)
    #expect(good.overall == 9 && good.signals == 8 && good.antennaPower == 10)
    #expect(good.processor == 6)
    #expect(good.text == "quality 9 of 10 (signals 8, antenna power 10, processor 6)")
    let stream = SBFBlocks.goodQuality + Self.cycle + SBFBlocks.badQuality + SBFBlocks.nextPosition
    let bad = try #require(epochs(stream).last?.signals)
    #expect(bad.quality?.overall == 2 && bad.quality?.antennaPower == 0)
    #expect(bad.quality?.signals == nil && ReceiverCondition(bad).quality == bad.quality)
    #expect(try #require(epochs(Self.cycle).last).signals.quality == nil)
    // A count beyond the block.
    var damaged = SBFBlocks.goodQuality
    damaged[14] = 255
    #expect(records(summed(damaged)).first?.trouble?.quality?.signals == 8)
  }

  @Test("ChannelStatus gives the sky, MeasEpoch its signals, whichever comes first")
  func sky() throws {
    let wanted = [
      SkyView.Satellite(
        id: SatelliteID(constellation: .gps, number: 5), elevationDegrees: 45,
        azimuthDegrees: 123, signalDecibelHertz: 48, isUsed: true, isHealthy: true),
      SkyView.Satellite(
        id: SatelliteID(constellation: .glonass, number: 1), elevationDegrees: 3,
        azimuthDegrees: 359, signalDecibelHertz: 37.5, isHealthy: false),
      SkyView.Satellite(id: SatelliteID(constellation: .galileo, number: 11)),
      SkyView.Satellite(
        id: SatelliteID(constellation: .beidou, number: 10), elevationDegrees: 60,
        azimuthDegrees: 7, isUsed: true, isHealthy: true),
    ]
    for blocks in [
      SBFBlocks.channels + SBFBlocks.signals, SBFBlocks.signals + SBFBlocks.channels,
    ] {
      let all = epochs(blocks + Self.cycle)
      #expect(all.count == 1)
      #expect(all.first?.sky?.satellites == wanted)
    }
    // Signals are not used twice.
    let later = epochs(
      SBFBlocks.channels + SBFBlocks.signals + Self.cycle + SBFBlocks.channels
        + SBFBlocks.nextPosition)
    let skies = later.compactMap(\.sky)
    #expect(skies.count == 2 && skies.first?.satellites.first?.signalDecibelHertz == 48)
    #expect(skies.last?.satellites.allSatisfy { $0.signalDecibelHertz == nil } == true)
    // Sizes and counts that the block does not hold.
    for (offset, value) in [(14, UInt8(255)), (15, 0), (16, 1), (29, 255)] {
      for block in [SBFBlocks.channels, SBFBlocks.signals] {
        var damaged = block
        damaged[offset] = value
        #expect(records(summed(damaged)).count == 1, "\(offset)")
      }
    }
  }

  @Test("the receiver's state between an attitude and its accuracies does not part them")
  func asides() {
    let both = SBFBlocks.attitudeErrors + SBFBlocks.attitude
    let all = headings(
      SBFBlocks.attitude + SBFBlocks.attitudeErrors + SBFBlocks.nextAttitude
        + SBFBlocks.goodQuality + SBFBlocks.channels + SBFBlocks.nextAttitudeErrors)
    expectNear(all.last?.headingAccuracy?.degrees, 0.2)
    #expect(headings(both + SBFBlocks.goodQuality).count == 1)
  }

  /// The block with its CRC: CCITT's, bit by bit.
  private func summed(_ block: [UInt8]) -> [UInt8] {
    var crc: UInt16 = 0
    for byte in block.dropFirst(4) {
      crc ^= UInt16(byte) << 8
      for _ in 0..<8 { crc = crc & 0x8000 != 0 ? crc << 1 ^ 0x1021 : crc << 1 }
    }
    return Array(block.prefix(2)) + [UInt8(crc & 255), UInt8(crc >> 8)] + block.dropFirst(4)
  }
}
