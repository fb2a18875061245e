import Quantities
import ReceiverProtocols
import Testing

@Suite(.timeLimit(.minutes(30))) struct AttitudeSentenceTests {
  @Test("PASHR of an inertial system is decoded")
  func pashr() throws {
    // NovAtel's OEM7 manual, with its checksum.
    let text = "$PASHR,163029.000,158.09,T,-0.30,+0.31,+0.01,0.029,0.028,0.059,1,1*3A\r\n"
    guard case .pashr(let s)? = decode(text).sentences.first?.sentence else {
      Issue.record("PASHR not decoded: \(decode(text).1)")
      return
    }
    #expect(s.time?.nanoseconds == 59_429_000_000_000)
    #expect(near(s.heading?.angle.degrees, 158.09))
    #expect(near(s.roll?.degrees, -0.3))
    #expect(near(s.pitch?.degrees, 0.31))
    #expect(s.heaveMetres == 0.01)
    #expect(near(s.rollError?.degrees, 0.029))
    #expect(near(s.pitchError?.degrees, 0.028))
    #expect(near(s.headingError?.degrees, 0.059))
    #expect(s.gnssQuality == 1)
    #expect(s.inertialStatus == 1)
  }

  @Test("PASHR without T or of another length is decoded; another sentence of its address is not")
  func pashrVariants() {
    if case .pashr(let s)? = only("PASHR,085335.000,224.19,,-01.26,+00.83") {
      #expect(s.heading == nil)
      #expect(near(s.roll?.degrees, -1.26))
      #expect(near(s.pitch?.degrees, 0.83))
      #expect(s.gnssQuality == nil)
    } else {
      Issue.record("PASHR not decoded")
    }
    if case .pashr(let s)? = only("PASHR,,,,,,,,,,0,0,x,y") {
      #expect(s.time == nil)
      #expect(s.roll == nil)
      #expect(s.inertialStatus == 0)
    } else {
      Issue.record("PASHR not decoded")
    }
    if case .pashr(let s)? = only("PASHR,120000,361,T,190,-91,,-1,,") {
      #expect(s.heading == nil)
      #expect(s.roll == nil)
      #expect(s.pitch == nil)
      #expect(s.rollError == nil)
    } else {
      Issue.record("PASHR not decoded")
    }
    #expect(decode(sentence("PASHR,120000,90")).1.malformed == 1)
    #expect(decode(sentence("PASHR,LTN,120")).1.unregistered == 1)
    #expect(decode(sentence("PASHR")).1.malformed == 1)
  }

  @Test("Sentences of Seapath, Octans, Furuno, Hemisphere and profilers are decoded")
  func motion() {
    // UHDAS's example, with its checksum.
    if case .psxn20(let s)? = decode("$PSXN,20,1,0,0,2*38\r\n").sentences.first?.sentence {
      #expect(s.horizontal == .reduced)
      #expect(s.height == .normal)
      #expect(s.heading == .normal)
      #expect(s.rollAndPitch == .invalid)
    } else {
      Issue.record("PSXN,20 not decoded")
    }
    if case .psxn20(let s)? = only("PSXN,20,3,,x") {
      #expect(s == only20)
    } else {
      Issue.record("PSXN,20 not decoded")
    }
    if case .psxn23(let s)? = only("PSXN,23,0.30,-0.97,298.57,-0.13") {
      #expect(near(s.roll?.degrees, 0.3))
      #expect(near(s.pitch?.degrees, -0.97))
      #expect(near(s.heading?.angle.degrees, 298.57))
      #expect(s.heaveMetres == -0.13)
    } else {
      Issue.record("PSXN,23 not decoded")
    }
    // go-nmea's example, with its checksum.
    if case .phtro(let s)? = decode("$PHTRO,10.37,P,177.62,T*65\r\n").sentences.first?.sentence {
      #expect(near(s.pitch?.degrees, -10.37))
      #expect(near(s.roll?.degrees, 177.62))
    } else {
      Issue.record("PHTRO not decoded")
    }
    if case .phtro(let s)? = only("PHTRO,1.5,M,2.5,B") {
      #expect(near(s.pitch?.degrees, 1.5))
      #expect(near(s.roll?.degrees, -2.5))
    } else {
      Issue.record("PHTRO not decoded")
    }
    if case .phtro(let s)? = only("PHTRO,-1.5,M,2.5,X") {
      #expect(s.pitch == nil)
      #expect(s.roll == nil)
    } else {
      Issue.record("PHTRO not decoded")
    }
    if case .phinf(let s)? = only("PHINF,00000805") {
      #expect(s.status == 0x805)
      #expect(s.headingIsValid == false)
      #expect(s.rollIsValid == true)
      #expect(s.pitchIsValid == false)
    } else {
      Issue.record("PHINF not decoded")
    }
    for field in ["", "G", "123456789"] {
      if case .phinf(let s)? = only("PHINF,\(field)") {
        #expect(s.headingIsValid == nil)
      } else {
        Issue.record("PHINF not decoded: \(field)")
      }
    }
    if case .pfecgpatt(let s)? = only("PFEC,GPatt,123.4,-1.5,+2.5") {
      #expect(near(s.heading?.angle.degrees, 123.4))
      #expect(near(s.pitch?.degrees, -1.5))
      #expect(near(s.roll?.degrees, 2.5))
    } else {
      Issue.record("PFEC,GPatt not decoded")
    }
    if case .pfecgphve(let s)? = only("PFEC,GPhve,-0.123,A") {
      #expect(s.heaveMetres == -0.123)
    } else {
      Issue.record("PFEC,GPhve not decoded")
    }
    if case .pfecgphve(let s)? = only("PFEC,GPhve,-0.123,V") {
      #expect(s.heaveMetres == nil)
    } else {
      Issue.record("PFEC,GPhve not decoded")
    }
    // Norwegian Subsea's example; it has no checksum.
    if case .prdid(let s)? = decode("$PRDID,-000.19,+000.04,158.32\r\n").sentences.first?.sentence {
      #expect(near(s.pitch?.degrees, -0.19))
      #expect(near(s.roll?.degrees, 0.04))
      #expect(near(s.heading?.degrees, 158.32))
    } else {
      Issue.record("PRDID not decoded")
    }
    // NOAA's example, with its checksum.
    let hemisphere = "$PSAT,HPR,235410.50,89.58,3.35,,N*01\r\n"
    if case .psathpr(let s)? = decode(hemisphere).sentences.first?.sentence {
      #expect(s.time?.nanoseconds == 86_050_500_000_000)
      #expect(near(s.heading?.angle.degrees, 89.58))
      #expect(near(s.pitch?.degrees, 3.35))
      #expect(s.roll == nil)
      #expect(s.isFromGyro == false)
    } else {
      Issue.record("PSAT,HPR not decoded")
    }
  }

  /// A quality of nothing.
  private var only20: PSXN20? {
    guard case .psxn20(let s)? = only("PSXN,20,,,,") else { return nil }
    return s
  }
}
