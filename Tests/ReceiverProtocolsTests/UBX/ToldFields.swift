import Quantities
import ReceiverProtocols

/// The fields of a message under u-blox's own names and in its units, computed back from the decoded
/// values: what another decoder's output can be compared with. A field that became nil is absent.
struct ToldFields {
  private(set) var numbers: [String: Double] = [:]

  mutating func tell(_ name: String, _ value: Double?) { numbers[name] = value }
  mutating func tell(_ name: String, _ value: (some BinaryInteger)?) {
    numbers[name] = value.map { Double($0) }
  }
  mutating func tell(_ name: String, _ flag: Bool?) { numbers[name] = flag.map { $0 ? 1 : 0 } }
  mutating func tell(_ name: String, _ angle: Angle?) { numbers[name] = angle?.degrees }
  mutating func tell(_ name: String, _ heading: TrueHeading?) {
    numbers[name] = heading?.angle.degrees
  }

  /// The bits of a field.
  mutating func tell(bits: some UnsignedInteger & FixedWidthInteger, _ names: [(Int, String)]) {
    for (position, name) in names { tell(name, bits >> position & 1 != 0) }
  }

  mutating func tell(_ time: UBXTime, second: String) {
    tell("fullyResolved", time.isFullyResolved)
    tell("year", time.date?.year)
    tell("month", time.date?.month)
    tell("day", time.date?.day)
    guard let ofDay = time.timeOfDay?.nanoseconds else { return }
    // The nearest second with a fraction between -0.4 and 0.9 s, as the frames were made.
    let billion: Int64 = 1_000_000_000
    let fraction = numbers["nano"].map { Int64($0) } ?? 0
    let whole = (ofDay - fraction) / billion
    tell("hour", whole / 3600)
    tell("min", whole / 60 % 60)
    tell(second, whole % 60)
    tell("nano", ofDay - whole * billion)
  }

  mutating func tell(_ position: GeodeticPosition?) {
    tell("lat", position?.latitude)
    tell("lon", position?.longitude)
  }

  mutating func tell(_ names: [String], centimetres position: EarthCentredPosition?) {
    tell(names[0], position.map { $0.xMetres * 100 })
    tell(names[1], position.map { $0.yMetres * 100 })
    tell(names[2], position.map { $0.zMetres * 100 })
  }

  mutating func tell(_ velocity: EarthCentredVelocity) {
    tell("ecefVX", velocity.xMetresPerSecond * 100)
    tell("ecefVY", velocity.yMetresPerSecond * 100)
    tell("ecefVZ", velocity.zMetresPerSecond * 100)
  }

  mutating func tell(_ velocity: Velocity<EarthFrame>, scale: Double) {
    tell("velN", velocity.metresPerSecond.x * scale)
    tell("velE", velocity.metresPerSecond.y * scale)
    tell("velD", velocity.metresPerSecond.z * scale)
  }

  mutating func tell(_ names: String..., times scale: Double, _ values: Double?...) {
    for (name, value) in zip(names, values) { tell(name, value.map { $0 * scale }) }
  }
}

/// `_01`, `_02`, …: how the fields of repeated blocks are told apart.
func suffix(_ index: Int) -> String { index < 9 ? "_0\(index + 1)" : "_\(index + 1)" }

extension ToldFields {
  /// Notes the fraction that the other decoder read, which says how the time was rounded.
  mutating func numbersForTime(_ nano: Double?) { numbers["nano"] = nano }
  mutating func forget(_ name: String) { numbers[name] = nil }

  /// The fields of any message. `nano` says which rounding of the time to tell.
  init(_ message: UBXMessage, nano: Double?) {
    switch message {
    case .ackNak(let m), .ackAck(let m):
      tell("clsID", m.messageClass)
      tell("msgID", m.messageID)
    case .cfgPrt(let m): tell(m)
    case .cfgMsg(let m): tell(m)
    case .cfgRate(let m):
      tell("measRate", m.measurementPeriodMilliseconds)
      tell("navRate", m.measurementsEachPosition)
      tell("timeRef", m.reference?.rawValue)
    case .cfgNav5(let m): tell(m)
    case .cfgValGet: break
    case .esfMeas(let m): tell(m)
    case .esfRaw(let m): tell(m)
    case .esfStatus(let m): tell(m)
    case .esfAlg(let m): tell(m)
    case .esfIns(let m), .hnrIns(let m): tell(m)
    case .hnrPVT(let m): tell(m, nano: nano)
    case .hnrAtt(let m), .navAtt(let m): tell(m)
    case .monVer: break
    case .monHW(let m): tell(m)
    case .monRF(let m): tell(m)
    case .navPosECEF(let m):
      tell("iTOW", m.timeOfWeekMilliseconds)
      tell(["ecefX", "ecefY", "ecefZ"], centimetres: m.position)
      tell("pAcc", times: 1e2, m.accuracyMetres)
    case .navHPPosECEF(let m):
      tell("iTOW", m.timeOfWeekMilliseconds)
      tell(["ecefX", "ecefY", "ecefZ"], centimetres: m.position)
      tell("invalidEcef", m.position == nil)
      tell("pAcc", times: 1e3, m.accuracyMetres)
    case .navPosLLH(let m): tell(m)
    case .navHPPosLLH(let m): tell(m)
    case .navStatus(let m): tell(m)
    case .navDOP(let m): tell(m)
    case .navSol(let m): tell(m)
    case .navPVT(let m): tell(m, nano: nano)
    case .navVelECEF(let m):
      tell("iTOW", m.timeOfWeekMilliseconds)
      tell(m.velocity)
      tell("sAcc", times: 1e2, m.speedAccuracyMetresPerSecond)
    case .navVelNED(let m): tell(m)
    case .navPVAT(let m): tell(m, nano: nano)
    case .navTimeGPS(let m): tell(m)
    case .navTimeUTC(let m): tell(m, nano: nano)
    case .navClock(let m): tell(m)
    case .navTimeLS(let m): tell(m)
    case .navSVInfo(let m): tell(m)
    case .navSat(let m): tell(m)
    case .navCov(let m): tell(m)
    case .navRelPosNED(let m): tell(m)
    case .navSig(let m): tell(m)
    case .navEOE(let m): tell("iTOW", m.timeOfWeekMilliseconds)
    case .timTP(let m): tell(m)
    }
  }
}
