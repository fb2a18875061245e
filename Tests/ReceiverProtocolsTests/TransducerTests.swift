import Quantities
import ReceiverProtocols
import Testing

@Suite(.timeLimit(.minutes(30))) struct TransducerTests {
  private func xdr(_ fields: String) -> XDR? {
    guard case .xdr(let xdr)? = only("IIXDR,\(fields)") else { return nil }
    return xdr
  }

  @Test("An HMR3000's XDR contains two angles and the raw field")
  func honeywell() throws {
    let s = try #require(
      xdr("A,-0.8,D,PITCH,A,0.8,D,ROLL,G,122,,MAGX,G,1838,,MAGY,G,-667,,MAGZ,G,1959,,MAGT"))
    #expect(s.count == 6)
    #expect(near(s.pitch?.degrees, -0.8))
    #expect(near(s.roll?.degrees, 0.8))
    let z = try #require(s[4])
    #expect(z.quantity == .generic)
    #expect(z.value == -667)
    #expect(z.name.description == "MAGZ")
    #expect(s[6] == nil)
  }

  @Test("Counts of a True North compass are not decoded as degrees")
  func trueNorth() throws {
    // From gpsd's log tnt-revolution, with its checksum.
    let text =
      "$HCXDR,A,171,D,PITCH,A,-37,D,ROLL,G,367,,MAGX,G,2420,,MAGY,G,-8984,,MAGZ*41\r\n"
    guard case .xdr(let s)? = decode(text).sentences.first?.sentence else {
      Issue.record("XDR not decoded")
      return
    }
    #expect(s.pitch == nil)
    #expect(s.roll == nil)
    #expect(s.count == 5)
    #expect(s[1]?.value == -37)
    #expect(s[1]?.quantity == .generic)
  }

  @Test("Pressure, temperatures and humidity of a weather station are decoded")
  func weather() throws {
    let s = try #require(
      xdr("P,1.02481,B,Barometer,C,19.52,C,TempAir,C,12.5,C,ENV_WATER_T,H,66.1,P,ENV_OUTSIDE_H"))
    #expect(near(s.airHectopascal, 1024.81))
    #expect(s.airCelsius == 19.52)
    #expect(s.waterCelsius == 12.5)
    #expect(s.relativeHumidityPercent == 66.1)
    let pascals = try #require(xdr("P,101325,P,ENV_ATMOS_P,C,285.15,K,ENV_OUTAIR_T"))
    #expect(near(pascals.airHectopascal, 1013.25))
    #expect(near(pascals.airCelsius, 12))
  }

  @Test("Standard units, Vaisala's units and millibars with the unit bar are converted")
  func units() throws {
    #expect(near(xdr("P,1013.2,H,Baro")?.airHectopascal, 1013.2))
    #expect(near(xdr("P,29.92,I,Baro")?.airHectopascal, 1013.207_589, 1e-6))
    #expect(near(xdr("P,760,M,Baro")?.airHectopascal, 1013.250_24, 1e-6))
    #expect(near(xdr("P,0.998,B,STNP")?.airHectopascal, 998))
    #expect(near(xdr("P,1013.2,B,Barometer")?.airHectopascal, 1013.2))
    #expect(xdr("P,101.3,B,Barometer")?.airHectopascal == nil)
    #expect(near(xdr("C,68,F,Air")?.airCelsius, 20))
    let others = try #require(
      xdr("I,-2.5,A,Battery#1,U,12.6,V,Battery#1,R,0.5,l,Fuel#1,T,1500,R,ENGINE#1,E,55,P,Fuel#1"))
    let expected: [(XDR.Quantity, Double)] = [
      (.current, -2.5), (.voltage, 12.6), (.flow, 0.5), (.revolutions, 1500), (.percentOfRange, 55),
    ]
    for (index, pair) in expected.enumerated() {
      #expect(others[index]?.quantity == pair.0)
      #expect(others[index]?.value == pair.1)
    }
  }

  @Test("Angles are found by names in either case; an engine's pressure is not barometric")
  func names() throws {
    #expect(near(xdr("A,-2.5,D,PTCH,A,3,D,HEEL,A,12,D,Yaw")?.pitch?.degrees, -2.5))
    #expect(near(xdr("A,-2.5,D,ptch,A,3,D,HEEL,A,12,D,Yaw")?.roll?.degrees, 3))
    #expect(near(xdr("A,-2.5,D,Pitch,A,3,D,Roll,A,-12,D,Yaw")?.yaw?.degrees, -12))
    #expect(xdr("P,1.9,B,EngineOil#1")?.airHectopascal == nil)
    #expect(xdr("A,91,D,PITCH")?.pitch == nil)
    #expect(xdr("C,21,C,ENGINE#1")?.airCelsius == nil)
  }

  @Test("Empty values, wrong units and incomplete groups do not affect other transducers")
  func broken() throws {
    let s = try #require(xdr("A,,D,PITCH,A,x,D,YAW,P,1.01,C,Baro,A,4.5,D,ROLL,C,20"))
    #expect(s.count == 1)
    #expect(near(s.roll?.degrees, 4.5))
    #expect(xdr(",,,")?.count == 0)
    #expect(decode(sentence("IIXDR,A,1,D")).1.malformed == 1)
  }

  @Test("Transducers are limited to eight, and long names are truncated")
  func long() throws {
    let groups = (0..<12).map { "U,\($0).5,V,Battery#\($0)" }
    let s = try #require(xdr(groups.joined(separator: ",")))
    #expect(s.count == 8)
    #expect(s[7]?.value == 7.5)
    #expect(s[7]?.name.description == "Battery#7")
    let cut = try #require(xdr("U,1,V,ABCDEFGHIJKLMNOPQRS"))
    #expect(cut[0]?.name.description == "ABCDEFGHIJKLMNOP")
  }
}
