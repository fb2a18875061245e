import Formats
import Quantities
import ReceiverProtocols
import Testing

@Suite("Signal K", .timeLimit(.minutes(30)))
struct SignalKTests {
  private static let begin = Timestamp(nanoseconds: 5_000_000_000)
  private static let utc = UTCTime(nanosecondsSince1970: 1_790_000_000_250_000_000)
  private let vessel = SignalKVessel(uuid: "4EF91948-9B46-4824-9738-8B301903086C")

  private static func at(_ seconds: Double) -> Timestamp { begin.advanced(bySeconds: seconds) }

  private static func estimate(at seconds: Double = 0) -> Estimate {
    var estimate = Estimate(timestamp: at(seconds))
    estimate.utc = utc.advanced(bySeconds: seconds)
    estimate.attitude = Rotation(
      AttitudeAngles(
        heading: Angle(degrees: 350), pitch: Angle(degrees: 2), roll: Angle(degrees: -10)))
    estimate.isLevelKnown = true
    estimate.magneticHeading = MagneticHeading(Angle(degrees: 350))
    estimate.trueHeading = TrueHeading(Angle(degrees: 354))
    estimate.deviation = Angle(degrees: 3)
    estimate.rateOfTurn = AngularSpeed(radiansPerSecond: -0.05)
    estimate.fixKind = .differential
    estimate.fixTimestamp = at(seconds)
    estimate.position = GeodeticPosition(latitudeDegrees: -33.25, longitudeDegrees: 151.5)
    estimate.altitudeMetres = 3
    estimate.ellipsoidalAltitudeMetres = 25.5
    estimate.speedMetresPerSecond = 2.5
    estimate.course = Angle(degrees: 2)
    estimate.satellitesUsed = 9
    estimate.horizontalDilution = 0.8
    return estimate
  }

  private static var sky: SkyReport {
    var sky = SkyReport(
      timestamp: begin, utc: utc,
      satellites: [Constellation.gps, .glonass, .sbas].map {
        SkyView.Satellite(id: SatelliteID(constellation: $0, number: 5), isUsed: true)
      })
    sky.positionDilution = 1.5
    return sky
  }

  private static func model(_ estimate: Estimate = estimate()) -> SignalKModel {
    var model = SignalKModel()
    model.update(estimate, sky: sky, at: begin)
    model.update(pressure: 1013.25, at: begin)
    model.update(condition, at: begin)
    return model
  }

  /// A receiver with a good antenna, weak interference and no fix.
  private static var condition: ReceiverCondition {
    var condition = ReceiverCondition()
    (condition.antenna, condition.interference, condition.spoofing) = (.good, .warning, .indicated)
    (condition.fixLoss, condition.hasFix) = (
      FixLoss(.fewSatellites, satellites: 2, hadFix: true), false
    )
    return condition
  }

  @Test("the receiver's trouble is a notification with state, method and message")
  func notifications() {
    var model = Self.model()
    let root = "notifications.navigation.gnss"
    #expect(
      value("\(root).fix.value", model)
        == #"{"state":"alarm","method":["visual","sound"],"#
        + #""message":"Position lost: fewer than 4 satellites are received"}"#)
    #expect(
      value("\(root).antenna.value", model)
        == #"{"state":"normal","method":[],"message":"The antenna is connected"}"#)
    #expect(
      value("\(root).interference.value.method", model) == #"["visual"]"#)
    #expect(value("\(root).spoofing.value.state", model) == #""alarm""#)
    #expect(value("\(root).fix.$source", model) == #""lodestar.gnss""#)

    var condition = Self.condition
    condition.fixLoss?.satellites = 3
    var subscriptions = SignalKSubscriptions()
    _ = subscriptions.add(SignalKSubscription(pattern: "notifications.*", policy: .instant))
    #expect(subscriptions.due(model, at: Self.at(0)).count == 4)
    model.update(condition, at: Self.at(1))
    // A changed count alone is not sent again.
    #expect(subscriptions.due(model, at: Self.at(1)).isEmpty)
    (condition.fixLoss, condition.hasFix, condition.antenna) = (nil, true, nil)
    model.update(condition, at: Self.at(2))
    #expect(value("\(root).fix.value.state", model) == #""normal""#)
    #expect(value("\(root).antenna.value", model) == "null")
    // A receiver that never reports an antenna has no such notification.
    var other = SignalKModel()
    other.update(ReceiverCondition(), at: Self.begin)
    #expect(value(root, other) == nil)
  }

  private func text(_ bytes: [UInt8]?) -> String { String(decoding: bytes ?? [], as: UTF8.self) }

  private func value(_ path: String, _ model: SignalKModel) -> String? {
    vessel.document(model).node(
      at: ["vessels", vessel.urn] + path.split(separator: ".").map(String.init)
    )
    .map { text($0.json) }
  }

  @Test("the full model has SI units and the signs of the specification")
  func values() {
    let model = Self.model()
    for (path, expected) in [
      ("navigation.headingMagnetic.value", "6.108652"),
      ("navigation.headingTrue.value", "6.178466"),
      ("navigation.headingCompass.value", "6.056293"),
      ("navigation.magneticVariation.value", "0.0698"),
      ("navigation.magneticDeviation.value", "0.0524"),
      ("navigation.rateOfTurn.value", "-0.050000"),
      (
        "navigation.attitude.value", #"{"roll":-0.174533,"pitch":0.034907,"yaw":-0.174533}"#
      ),
      (
        "navigation.position.value",
        #"{"latitude":-33.250000000,"longitude":151.500000000,"altitude":3.000}"#
      ),
      ("navigation.speedOverGround.value", "2.500"),
      ("navigation.courseOverGroundTrue.value", "0.034907"),
      ("navigation.courseOverGroundMagnetic.value", "6.248279"),
      ("navigation.datetime.value", #""2026-09-21T14:13:20.250Z""#),
      ("navigation.gnss.type.value", #""Combined GPS/GLONASS""#),
      ("navigation.gnss.methodQuality.value", #""DGNSS fix""#),
      ("navigation.gnss.satellites.value", "9"),
      ("navigation.gnss.geoidalSeparation.value", "22.500"),
      ("navigation.gnss.horizontalDilution.value", "0.80"),
      ("navigation.gnss.positionDilution.value", "1.50"),
      ("environment.outside.pressure.value", "101325.0"),
      ("environment.outside.pressure.$source", #""lodestar.barometer""#),
      ("navigation.headingTrue.timestamp", #""2026-09-21T14:13:20.250Z""#),
      ("navigation.headingTrue.meta.units", #""rad""#),
      ("uuid", "\"\(vessel.urn)\""),
    ] { #expect(value(path, model) == expected, "\(path)") }
    let document = text(vessel.document(model).json)
    #expect(document.hasPrefix(#"{"version":"1.7.0","self":"vessels.\#(vessel.urn)","vessels":{"#))
    #expect(
      document.hasSuffix(
        #""sources":{"lodestar":{"label":"lodestar","type":"Lodestar","compass":{},"gnss":{},"barometer":{}}}}"#
      ))
  }

  @Test("what was never known is absent; what is no longer known is null")
  func unknown() {
    var estimate = Estimate(timestamp: Self.begin)
    estimate.magneticHeading = MagneticHeading(Angle(degrees: 359.999_99))
    var model = SignalKModel()
    model.update(estimate, sky: nil, at: Self.begin)
    #expect(value("navigation.headingMagnetic.value", model) == "0.000000")
    // The clock is not known.
    #expect(value("navigation.headingMagnetic.timestamp", model) == nil)
    #expect(value("navigation.headingTrue", model) == nil && value("environment", model) == nil)
    #expect(value("navigation.position", model) == nil)

    model = Self.model()
    estimate = Self.estimate(at: 1)
    (estimate.trueHeading, estimate.fixKind, estimate.position) = (nil, FixKind.none, nil)
    model.update(estimate, sky: Self.sky, at: Self.at(1))
    #expect(value("navigation.headingTrue.value", model) == "null")
    #expect(value("navigation.headingTrue.timestamp", model) == #""2026-09-21T14:13:21.250Z""#)
    #expect(value("navigation.position.value", model) == "null")
    #expect(value("navigation.gnss.methodQuality.value", model) == #""no GPS""#)
    #expect(value("navigation.headingMagnetic.value", model) == "6.108652")
    // The same fix is a measurement again after it was lost.
    model.update(Self.estimate(), sky: Self.sky, at: Self.at(2))
    #expect(value("navigation.speedOverGround.value", model) == "2.500")

    model.expire(at: Self.at(4.9))
    #expect(value("navigation.headingMagnetic.value", model) == "6.108652")
    model.expire(at: Self.at(5.1))
    #expect(value("navigation.headingMagnetic.value", model) == "null")
    #expect(value("environment.outside.pressure.value", model) == "101325.0")
    model.expire(at: Self.at(10.1))
    #expect(value("environment.outside.pressure.value", model) == "null")
    model.forgetStale(at: Self.at(10.1))
    #expect(value("navigation", model) == nil)
  }

  @Test("waves and the tendency are those of the estimate, and absent where it has none")
  func sea() {
    var estimate = Self.estimate(at: 0)
    (estimate.waveHeightMetres, estimate.wavePeakPeriodSeconds) = (1.75, 8.25)
    (estimate.waveMeanPeriodSeconds, estimate.waveDirection) = (6.5, Angle(degrees: 270))
    estimate.pressureTendencyHectopascal = -3.25
    var model = Self.model()
    #expect(value("environment.water", model) == nil)
    model.update(estimate, sky: nil, at: Self.at(0.1))
    #expect(value("environment.water.waves.significantHeight.value", model) == "1.75")
    #expect(value("environment.water.waves.peakPeriod.value", model) == "8.25")
    #expect(value("environment.water.waves.period.value", model) == "6.50")
    #expect(value("environment.water.waves.directionTrue.value", model) == "4.7124")
    #expect(value("environment.outside.pressureTendency.value", model) == "-325.0")
    model.update(Self.estimate(at: 0.2), sky: nil, at: Self.at(0.2))
    #expect(value("environment.water.waves.significantHeight.value", model) == "null")
  }

  @Test("a delta has an update for each source and time, and meta on request")
  func delta() {
    let model = Self.model()
    let message = SignalKDelta.message(
      [.headingTrue, .speedOverGround, .rateOfTurn, .heave], of: model, context: "vessels.self",
      describing: [.rateOfTurn])
    #expect(
      text(message)
        == #"{"context":"vessels.self","updates":[{"$source":"lodestar.compass","timestamp":"2026-09-21T14:13:20.250Z","#
        + #""values":[{"path":"navigation.headingTrue","value":6.178466},{"path":"navigation.rateOfTurn","value":-0.050000}],"#
        + #""meta":[{"path":"navigation.rateOfTurn","value":{"units":"rad/s","description":"Rate of turn, to starboard positive"}}]},"#
        + #"{"$source":"lodestar.gnss","timestamp":"2026-09-21T14:13:20.250Z","values":[{"path":"navigation.speedOverGround","value":2.500}]}]}"#
    )
    #expect(SignalKDelta.message([.heave], of: model, context: "") == nil)
    let all = SignalKPath.allCases
    #expect(SignalKDelta.messages(all, of: model, context: "vessels.self", atMost: 9999).count == 1)
    let parts = SignalKDelta.messages(all, of: model, context: "vessels.self", atMost: 500)
    #expect(parts.count > 2 && parts.allSatisfy { $0.count <= 500 })
    let joined = parts.map(text).joined()
    // What the model's estimate does not know.
    let unknown: [SignalKPath] = [
      .heave, .differentialAge, .waveHeight, .wavePeakPeriod, .waveMeanPeriod, .waveDirection,
      .pressureTendency,
    ]
    for path in all where !unknown.contains(path) {
      #expect(joined.contains("\"\(path.rawValue)\""), "\(path)")
    }
  }

  @Test("the policies determine when a value is sent")
  func policies() {
    /// The tenths of a second at which a value is sent that is measured until 1 s, ten times a
    /// second.
    func sent(_ subscription: SignalKSubscription) -> [Int] {
      var subscriptions = SignalKSubscriptions()
      _ = subscriptions.add(subscription)
      var model = SignalKModel()
      return (0...30).filter { tenth in
        let now = Self.at(Double(tenth) / 10)
        if tenth <= 10 { model.update(Self.estimate(at: Double(tenth) / 10), sky: nil, at: now) }
        return subscriptions.due(model, at: now) == [.rateOfTurn]
      }
    }
    func subscription(_ policy: SignalKSubscription.Policy, _ least: Double?) -> SignalKSubscription
    {
      SignalKSubscription(
        pattern: "navigation.rate*", policy: policy, leastPeriodMilliseconds: least)
    }
    #expect(sent(subscription(.instant, 300)) == [0, 3, 6, 9, 12])
    #expect(sent(subscription(.ideal, 500)) == [0, 5, 10, 20, 30])
    #expect(sent(subscription(.fixed, nil)) == [0, 10, 20, 30])
    #expect(sent(subscription(.instant, nil)) == [0, 2, 4, 6, 8, 10])
    #expect(sent(subscription(.instant, 0)) == Array(0...10))
  }

  @Test(
    "a subscription replaces one of the same pattern, ends by a pattern, and is refused beyond the limit"
  )
  func subscriptions() {
    var subscriptions = SignalKSubscriptions()
    func add(_ pattern: String) -> Bool {
      subscriptions.add(SignalKSubscription(pattern: pattern, policy: .ideal))
    }
    for number in 0..<SignalKSubscriptions.most { #expect(add("navigation.\(number)")) }
    #expect(!add("more") && add("navigation.0"))
    subscriptions.end("navigation.1*")
    #expect(add("more") && !subscriptions.isEmpty)
    subscriptions.end("*")
    #expect(subscriptions.isEmpty)
  }

  @Test("messages of clients are read within limits")
  func requests() throws {
    func request(_ text: String) -> SignalKRequest? { SignalKRequest(Array(text.utf8)) }
    let full = try #require(
      request(
        #"{"context":"vessels.*","subscribe":[{"path":"navigation.position","period":120000,"policy":"fixed"},"#
          + #"{"path":"a","minPeriod":1,"policy":"instant","format":"delta","x":[{}]},{"path":7},{},3,{"path":"b","format":"full"}],"#
          + #""unsubscribe":[{"path":"*"}]}"#))
    #expect(full.context == "vessels.*" && full.ended == ["*"] && !full.isOther)
    #expect(full.isOfOtherFormat)
    #expect(
      full.subscriptions == [
        SignalKSubscription(
          pattern: "navigation.position", policy: .fixed, periodMilliseconds: 120_000),
        SignalKSubscription(pattern: "a", policy: .instant, leastPeriodMilliseconds: 50),
      ])
    let put = try #require(request(#"{"requestId":"x","put":{"path":"a","value":1}}"#))
    #expect(put.isOther && put.identifier == "x" && put.context == "vessels.self")
    // A position as context is that of other vessels.
    #expect(request(#"{"context":{"radius":1},"subscribe":[]}"#)?.context == "")
    for text in ["", "[]", "{", "{}x", "null", #"{"subscribe":[{"path":"#] {
      #expect(request(text) == nil, "\(text)")
    }
    let many = #"{"subscribe":["# + String(repeating: #"{"path":"a"},"#, count: 200) + "{}]}"
    #expect(request(many)?.subscriptions.count == 64)
    let long = String(repeating: "a", count: 300)
    #expect(request(#"{"subscribe":[{"path":"\#(long)"}]}"#)?.subscriptions.isEmpty == true)
  }

  @Test(
    "a star stands for any text",
    arguments: [
      ("navigation.headingTrue", "*", true), ("navigation.headingTrue", "navigation.*", true),
      ("navigation.headingTrue", "*.heading*", true),
      ("navigation.headingTrue", "navigation", false),
      ("navigation.headingTrue", "navigation.headingTrue*", true), ("abcabc", "*abc", true),
      ("abcabd", "*abc", false), ("", "*", true), ("", "", true), ("a", "", false),
      ("aab", "a*ab", true),
    ])
  func wildcards(text: String, pattern: String, isMatch: Bool) {
    #expect(SignalKSubscription.matches(text, pattern) == isMatch)
  }

  @Test("a vessel has a UUID or an MMSI; the first message and the discovery document name it")
  func identity() throws {
    #expect(vessel.context == "vessels.urn:mrn:signalk:uuid:4ef91948-9b46-4824-9738-8b301903086c")
    #expect(
      text(vessel.hello(at: Self.utc))
        == #"{"name":"lodestar","version":"1.7.0","timestamp":"2026-09-21T14:13:20.250Z","self":"\#(vessel.context)","roles":["master","main"]}"#
    )
    #expect(!text(vessel.hello(at: nil)).contains("timestamp"))
    let named = try #require(SignalKVessel(mmsi: "211234560"))
    #expect(named.urn == "urn:mrn:imo:mmsi:211234560")
    #expect(
      text(named.document(SignalKModel()).node(at: ["vessels", named.urn])?.json)
        == #"{"mmsi":"211234560"}"#)
    for text in ["", "21123456", "111234560", "2112345600", "21123456x"] {
      #expect(SignalKVessel(mmsi: text) == nil, "\(text)")
    }
    #expect(
      text(SignalKVessel.discovery(host: "a\":1", isEncrypted: true, version: "2"))
        == #"{"endpoints":{"v1":{"version":"1.7.0","signalk-http":"https://a\":1/signalk/v1/api/","signalk-ws":"wss://a\":1/signalk/v1/stream"}},"server":{"id":"lodestar","version":"2"}}"#
    )
    #expect(named.announcement(version: "1").contains("self=urn:mrn:imo:mmsi:211234560"))
  }
}
