import Foundation
import Quantities
import ReceiverProtocols
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(30))) struct TrueNorthTests {
  @Test("PTNTHPR is decoded in degrees and in mils, and has no heading under alarm")
  func hpr() throws {
    // The degree example of Honeywell's manual, with its checksum.
    let text = "$PTNTHPR,85.9,N,-0.9,N,0.8,N*2C\r\n"
    guard case .ptnthpr(let s)? = decode(text).sentences.first?.sentence else {
      Issue.record("PTNTHPR not decoded")
      return
    }
    #expect(near(s.heading?.degrees, 85.9))
    #expect(near(s.pitch?.degrees, -0.9))
    #expect(near(s.roll?.degrees, 0.8))
    #expect(s.headingStatus == .normal)
    if case .ptnthpr(let s)? = only("PTNTHPR,1600,N,-80,M,160,O") {
      #expect(near(s.heading?.degrees, 90))
      #expect(near(s.pitch?.degrees, -4.5))
      #expect(near(s.roll?.degrees, 9))
      #expect(s.pitchStatus == .lowWarning)
      #expect(s.rollStatus == .highWarning)
    } else {
      Issue.record("PTNTHPR not decoded")
    }
    if case .ptnthpr(let s)? = only("PTNTHPR,,N,,P,5.2,N") {
      #expect(s.heading == nil)
      #expect(s.pitch == nil)
      #expect(s.pitchStatus == .highAlarm)
      #expect(near(s.roll?.degrees, 5.2))
    } else {
      Issue.record("PTNTHPR not decoded")
    }
    if case .ptnthpr(let s)? = only("PTNTHPR,10.0,N,5.0,L,2.0") {
      #expect(s.heading == nil, "an alarm of the pitch voids the heading")
      #expect(s.pitch == nil)
      #expect(s.rollStatus == nil)
    } else {
      Issue.record("PTNTHPR not decoded")
    }
    if case .ptnthpr(let s)? = only("PTNTHPR,400.0,N,95.0,N,-200.0,?,x") {
      #expect(s.heading == nil)
      #expect(s.pitch == nil)
      #expect(s.roll == nil)
      #expect(s.rollStatus == nil)
    } else {
      Issue.record("PTNTHPR not decoded")
    }
    #expect(decode(sentence("PTNTHPR,85.9")).1.malformed == 1)
  }

  @Test("PTNTHTM is decoded in counts of 1/65536 turn and in degrees")
  func htm() throws {
    let counts = "$PTNTHTM,14223,N,169,N,-43,N,13641,2454*15\r\n"
    guard case .ptnthtm(let s)? = decode(counts).sentences.first?.sentence else {
      Issue.record("PTNTHTM not decoded")
      return
    }
    // 14223, 169, -43 and 13641 times 360 over 65536, by hand.
    #expect(near(s.heading?.angle.degrees, 78.129_272_46, 1e-8))
    #expect(near(s.pitch?.degrees, 0.928_344_727, 1e-8))
    #expect(near(s.roll?.degrees, -0.236_206_055, 1e-8))
    #expect(near(s.dip?.degrees, 74.932_250_98, 1e-8))
    #expect(s.horizontalField == 2454)
    let degrees = "$PTNTHTM,285.2,N,-2.4,N,10.7,N,59.1,3844*27\r\n"
    guard case .ptnthtm(let d)? = decode(degrees).sentences.first?.sentence else {
      Issue.record("PTNTHTM not decoded")
      return
    }
    #expect(near(d.heading?.angle.degrees, 285.2))
    #expect(near(d.pitch?.degrees, -2.4))
    #expect(near(d.roll?.degrees, 10.7))
    #expect(near(d.dip?.degrees, 59.1))
    if case .ptnthtm(let s)? = only("PTNTHTM,65535,N,65535,N,-16385,N,-8192,") {
      #expect(near(s.heading?.angle.degrees, 359.994_506_8, 1e-7))
      #expect(near(s.pitch?.degrees, -0.005_493_164, 1e-8))
      #expect(near(s.roll?.degrees, -90.005_493_164, 1e-8))
      #expect(near(s.dip?.degrees, -45))
      #expect(s.horizontalField == nil)
    } else {
      Issue.record("PTNTHTM not decoded")
    }
    if case .ptnthtm(let s)? = only("PTNTHTM,100,V,169,N,-43,N") {
      #expect(s.heading == nil)
      #expect(s.headingStatus == .voltageAlarm)
      #expect(s.dip == nil)
    } else {
      Issue.record("PTNTHTM not decoded")
    }
  }

  @Test(
    "Headings, dips and tilts of a True North recording are plausible",
    .enabled(if: SharedData.directory != nil, "the reference logs are absent"))
  func recording() throws {
    let bytes = try #require(SharedData.bytes("data/gnss/tnt-revolution.log"))
    var count = 0
    for item in decode(bytes).sentences {
      guard case .ptnthtm(let s) = item.sentence else { continue }
      count += 1
      let heading = try #require(s.heading).angle.degrees
      let dip = try #require(s.dip).degrees
      let pitch = try #require(s.pitch).degrees
      let roll = try #require(s.roll).degrees
      #expect(heading > 76 && heading < 80)
      #expect(dip > 74 && dip < 76)
      #expect(abs(pitch) < 2 && abs(roll) < 2)
    }
    #expect(count == 50)
  }

  /// The scale that the maker's manual leaves open: only at 65536 counts to the turn do the raw
  /// field and the tilt of XDR give the heading and dip of the HTM beside it. Tenths of mils are
  /// 1.8 degrees off.
  @Test(
    "Heading and dip of a True North compass agree with its raw field",
    .enabled(if: SharedData.directory != nil, "the reference logs are absent"))
  func scale() throws {
    let bytes = try #require(SharedData.bytes("data/gnss/tnt-revolution.log"))
    var last: PTNTHTM?
    var compared = 0
    var (headingOff, dipOff) = (0.0, 0.0)
    for item in decode(bytes).sentences {
      if case .ptnthtm(let s) = item.sentence { last = s }
      guard case .xdr(let xdr) = item.sentence, let last, xdr.count == 5 else { continue }
      let values = (0..<5).compactMap { xdr[$0]?.value }
      try #require(values.count == 5)
      let (pitch, roll) = (values[0] / 65_536 * 2 * .pi, values[1] / 65_536 * 2 * .pi)
      let (x, y, z) = (values[2], values[3], values[4])
      let forward = x * cos(pitch) - (y * sin(roll) + z * cos(roll)) * sin(pitch)
      let transverse = y * cos(roll) - z * sin(roll)
      let total = (x * x + y * y + z * z).squareRoot()
      let heading = atan2(transverse, forward) * 180 / .pi
      let dip = acos(hypot(forward, transverse) / total) * 180 / .pi
      let printedHeading = try #require(last.heading).angle.degrees
      let printedDip = try #require(last.dip).degrees
      headingOff += heading - printedHeading
      dipOff += dip - printedDip
      compared += 1
    }
    #expect(compared == 10)
    // The two sentences are measured one after the other: single headings differ by up to a degree.
    #expect(abs(headingOff / 10) < 0.2, "\(headingOff / 10)")
    #expect(abs(dipOff / 10) < 0.05, "\(dipOff / 10)")
  }
}
