import Quantities
import ReceiverProtocols

/// The fields of a decoded message under u-blox's names and in its units, for comparison with the
/// output of another decoder. A field that was decoded as nil is absent.
struct FieldValues {
  private(set) var numbers: [String: Double] = [:]

  mutating func add(_ name: String, _ value: Double?) { numbers[name] = value }
  mutating func add(_ name: String, _ value: (some BinaryInteger)?) {
    numbers[name] = value.map { Double($0) }
  }
  mutating func add(_ name: String, _ flag: Bool?) { numbers[name] = flag.map { $0 ? 1 : 0 } }
  mutating func add(_ name: String, _ angle: Angle?) { numbers[name] = angle?.degrees }
  mutating func add(_ name: String, _ heading: TrueHeading?) {
    numbers[name] = heading?.angle.degrees
  }

  /// Adds single bits of a bit field, by position.
  mutating func add(bits: some UnsignedInteger & FixedWidthInteger, _ names: [(Int, String)]) {
    for (position, name) in names { add(name, bits >> position & 1 != 0) }
  }

  mutating func add(_ time: UBXTime, second: String) {
    add("fullyResolved", time.isFullyResolved)
    add("year", time.date?.year)
    add("month", time.date?.month)
    add("day", time.date?.day)
    guard let ofDay = time.timeOfDay?.nanoseconds else { return }
    // The nearest second with a fraction between -0.4 and 0.9 s, as the frames were made.
    let billion: Int64 = 1_000_000_000
    let fraction = numbers["nano"].map { Int64(bounded: $0) } ?? 0
    let whole = (ofDay - fraction) / billion
    add("hour", whole / 3600)
    add("min", whole / 60 % 60)
    add(second, whole % 60)
    add("nano", ofDay - whole * billion)
  }

  mutating func add(_ position: GeodeticPosition?) {
    add("lat", position?.latitude)
    add("lon", position?.longitude)
  }

  mutating func add(_ names: [String], centimetres position: EarthCentredPosition?) {
    add(names[0], position.map { $0.xMetres * 100 })
    add(names[1], position.map { $0.yMetres * 100 })
    add(names[2], position.map { $0.zMetres * 100 })
  }

  mutating func add(_ velocity: EarthCentredVelocity) {
    add("ecefVX", velocity.xMetresPerSecond * 100)
    add("ecefVY", velocity.yMetresPerSecond * 100)
    add("ecefVZ", velocity.zMetresPerSecond * 100)
  }

  mutating func add(_ velocity: Velocity<EarthFrame>, scale: Double) {
    add("velN", velocity.metresPerSecond.x * scale)
    add("velE", velocity.metresPerSecond.y * scale)
    add("velD", velocity.metresPerSecond.z * scale)
  }

  mutating func add(_ names: String..., times scale: Double, _ values: Double?...) {
    for (name, value) in zip(names, values) { add(name, value.map { $0 * scale }) }
  }
}

/// The suffix of the fields of a repeated block: `_01`, `_02`, ….
func suffix(_ index: Int) -> String { index < 9 ? "_0\(index + 1)" : "_\(index + 1)" }

extension FieldValues {
  /// Stores the fraction that the other decoder read: it shows how the time was rounded.
  mutating func setTimeFraction(_ nano: Double?) { numbers["nano"] = nano }
  mutating func remove(_ name: String) { numbers[name] = nil }

  /// The fields of any message. `nano` selects the rounding of the time.
  init(_ message: UBXMessage, nano: Double?) {
    switch message {
    case .ackNak(let m), .ackAck(let m):
      add("clsID", m.messageClass)
      add("msgID", m.messageID)
    case .cfgPrt(let m): add(m)
    case .cfgMsg(let m): add(m)
    case .cfgRate(let m):
      add("measRate", m.measurementPeriodMilliseconds)
      add("navRate", m.measurementsEachPosition)
      add("timeRef", m.reference?.rawValue)
    case .cfgNav5(let m): add(m)
    case .cfgValGet: break
    case .esfMeas(let m): add(m)
    case .esfRaw(let m): add(m)
    case .esfStatus(let m): add(m)
    case .esfAlg(let m): add(m)
    case .esfIns(let m), .hnrIns(let m): add(m)
    case .hnrPVT(let m): add(m, nano: nano)
    case .hnrAtt(let m), .navAtt(let m): add(m)
    case .monVer, .secSig, .secUniqID, .navAOPStatus, .mgaAck, .mgaDBD: break
    case .monHW(let m): add(m)
    case .monRF(let m): add(m)
    case .navPosECEF(let m):
      add("iTOW", m.timeOfWeekMilliseconds)
      add(["ecefX", "ecefY", "ecefZ"], centimetres: m.position)
      add("pAcc", times: 1e2, m.accuracyMetres)
    case .navHPPosECEF(let m):
      add("iTOW", m.timeOfWeekMilliseconds)
      add(["ecefX", "ecefY", "ecefZ"], centimetres: m.position)
      add("invalidEcef", m.position == nil)
      add("pAcc", times: 1e3, m.accuracyMetres)
    case .navPosLLH(let m): add(m)
    case .navHPPosLLH(let m): add(m)
    case .navStatus(let m): add(m)
    case .navDOP(let m): add(m)
    case .navSol(let m): add(m)
    case .navPVT(let m): add(m, nano: nano)
    case .navVelECEF(let m):
      add("iTOW", m.timeOfWeekMilliseconds)
      add(m.velocity)
      add("sAcc", times: 1e2, m.speedAccuracyMetresPerSecond)
    case .navVelNED(let m): add(m)
    case .navPVAT(let m): add(m, nano: nano)
    case .navTimeGPS(let m): add(m)
    case .navTimeUTC(let m): add(m, nano: nano)
    case .navClock(let m): add(m)
    case .navTimeLS(let m): add(m)
    case .navSVInfo(let m): add(m)
    case .navSat(let m): add(m)
    case .navCov(let m): add(m)
    case .navRelPosNED(let m): add(m)
    case .navDAHeading(let m): add(m)
    case .navSig(let m): add(m)
    case .navEOE(let m): add("iTOW", m.timeOfWeekMilliseconds)
    case .timTP(let m): add(m)
    }
  }
}
