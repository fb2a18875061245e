import Formats
import Quantities
import ReceiverProtocols

/// Frames of an NMEA 2000 bus: reassembly, sources, and the own device with its address.
struct NMEA2000Body: FuzzBody {
  /// 254 sources, names and 32 unfinished messages.
  var mostHeldBytes: Int { 262_144 }

  private static let groups = Array(Set(NMEA2000Decoder.messages + NMEA2000Device.receivedMessages))
    .sorted { $0.rawValue < $1.rawValue }
  private static let ownName = DeviceName(bits: 0xC078_9100_FFC0_0001)
  private var decoder = NMEA2000Decoder(ownName: ownName)
  private var now = Timestamp(nanoseconds: 1_000_000_000)

  private static var device: NMEA2000Device {
    NMEA2000Device(
      name: ownName, preferredAddress: 35,
      product: NMEA2000Device.Product(softwareVersion: "1", serial: "1"))
  }

  func check(_ input: UnsafeRawBufferPointer) throws(Violation) {
    var (decoder, device) = (NMEA2000Decoder(ownName: Self.ownName), Self.device)
    var assembler = FastPacket.Assembler()
    var now = Timestamp(nanoseconds: 1_000_000_000)
    _ = device.start(at: now)
    for (frame, pause) in Self.frames(input) {
      now = now.advanced(byNanoseconds: UInt64(pause) * 1_000_000)
      let header = MessageHeader(frame.identifier)
      try expect(header.identifier == frame.identifier, "another identifier \(header)")
      let bytes = assembler.add(frame, at: now)
      try expect((bytes?.count ?? 0) <= FastPacket.mostBytes, "a message of \(bytes?.count ?? 0)")
      if let bytes {
        var again = FastPacket.Assembler()
        let joined = FastPacket.frames(of: bytes, header, sequence: 3).compactMap {
          again.add($0, at: now)
        }
        try expect(joined == [bytes], "a message is not joined again")
      }
      var faults: [String] = []
      decoder.receive(frame, at: now) { faults += Self.fault($0) }
      try expect(faults.isEmpty, faults.first ?? "")
      let before = device.claim.address
      let output = device.receive(frame, at: now) + device.advance(to: now)
      let senders = output.map { MessageHeader($0.identifier).source }
      let allowed = [before, device.claim.address].compactMap { $0 }
      let claims = output.filter { MessageHeader($0.identifier).pgn == PGN.addressClaim.rawValue }
      try expect(
        claims.count == output.count || senders.allSatisfy(allowed.contains),
        "sent from \(senders), address \(allowed)")
      try expect(output.count <= 64, "\(output.count) frames for one")
      try expect(
        (device.claim.address ?? 0) <= AddressClaim.greatestAddress, "an impossible address")
    }
  }

  mutating func accumulate(_ input: UnsafeRawBufferPointer) {
    for (frame, pause) in Self.frames(input) {
      now = now.advanced(byNanoseconds: UInt64(pause) * 1_000_000)
      decoder.receive(frame, at: now) { _ in }
    }
  }

  private static func fault(_ report: ReceiverReport) -> [String] {
    guard case .epoch(let epoch) = report, let position = epoch.fix.position else { return [] }
    let isPlace =
      abs(position.latitude.degrees) <= 90 && abs(position.longitude.degrees) <= 180.000_001
    return isPlace && epoch.fix.kind != .none ? [] : ["an impossible position \(position)"]
  }

  /// Of each frame: group, source, destination, milliseconds since the frame before, number of
  /// bytes, bytes.
  private static func frames(
    _ input: UnsafeRawBufferPointer
  ) -> [(frame: CANFrame, pause: UInt8)] {
    var reader = InputReader(input)
    var frames: [(CANFrame, UInt8)] = []
    while !reader.isAtEnd, frames.count < 512 {
      let pgn = groups[reader.choice(groups.count)]
      // Few sources, so that frames belong together.
      let (source, isForAll) = (reader.byte() & 0x27, reader.byte() & 1 == 0)
      let pause = reader.byte()
      let header = MessageHeader(
        priority: 3, pgn: pgn.rawValue, source: source, destination: isForAll ? 255 : 35)
      let count = reader.choice(9)
      frames.append((CANFrame(identifier: header.identifier, reader.some(count)), pause))
    }
    return frames
  }
}
