/// All checks.
package enum CheckCatalogue {
  /// One check: the findings of a topic, those without a problem included.
  package struct Check: Sendable {
    /// The topic.
    package let topic: CheckTopic
    /// Examines a machine; the programs of a remedy may be missing there.
    let findings: @Sendable (Machine) -> [MachineFinding]
  }

  /// The checks in the order of the output.
  package static let all = [
    Check(topic: .i2c, findings: I2CCheck.findings),
    Check(topic: .spi, findings: SPICheck.findings),
    Check(topic: .serial, findings: SerialCheck.findings),
    Check(topic: .can, findings: CANCheck.findings),
    Check(topic: .access, findings: AccessCheck.findings),
    Check(topic: .gpio, findings: GPIOCheck.findings),
    Check(topic: .pulse, findings: PulseCheck.findings),
    Check(topic: .time, findings: TimeCheck.findings),
    Check(topic: .model, findings: MagneticModelCheck.findings),
    Check(topic: .storage, findings: StorageCheck.findings),
    Check(topic: .owners, findings: OwnerCheck.findings),
    Check(topic: .power, findings: PowerCheck.findings),
    Check(topic: .configuration, findings: ConfigurationCheck.findings),
    Check(topic: .libraries, findings: LibraryCheck.findings),
    Check(topic: .log, findings: LogCheck.findings),
    Check(topic: .live, findings: LiveCheck.findings),
  ]

  /// The findings of all checks in the order of the catalogue, or of one topic.
  package static func findings(
    _ topic: CheckTopic? = nil, on machine: Machine
  ) -> [MachineFinding] {
    all.filter { topic == nil || topic == $0.topic }.flatMap { $0.findings(machine) }.map {
      var finding = $0
      finding.remedy = finding.remedy?.applicable(on: machine)
      return finding
    }
  }
}
