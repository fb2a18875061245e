import Chips
import Simulation
import Testing

@Suite("BMI088", .timeLimit(.minutes(30)))
struct BMI088Tests {
  @Test("both halves set rate and range, and lose nothing at 400 Hz")
  func rates() throws {
    let bus = EmulatedBus()
    let surroundings = FixedSurroundings()
    let accelerometer = EmulatedBMI088Accelerometer(surroundings: surroundings)
    let gyroscope = EmulatedBMI088Gyroscope(surroundings: surroundings)
    bus.place(accelerometer, at: 0x19)
    bus.place(gyroscope, at: 0x69)
    let settings = ChipSettings(rateHertz: 400, drivesDataReadyLine: true)
    var force = BMI088Accelerometer(bus: bus, address: 0x19, settings: settings)
    try force.start()
    // ±12 g is the least that holds 8 g.
    #expect(accelerometer.registers[0x40] == 0xAA && accelerometer.registers[0x41] == 0x02)
    #expect(accelerometer.registers[0x53] == 0x0A && accelerometer.registers[0x58] == 0x04)
    try expectEverySample(of: &force, on: bus, hertz: 400)
    var rate = BMI088Gyroscope(bus: bus, address: 0x69, settings: settings)
    try rate.start()
    #expect(gyroscope.registers[0x0F] == 0x01 && gyroscope.registers[0x10] == 0x83)
    #expect(gyroscope.registers[0x15] == 0x80 && gyroscope.registers[0x18] == 0x01)
    try expectEverySample(of: &rate, on: bus, hertz: 400)
  }
}
