/// The names of all problems that the checks find.
package enum Problem: String, CaseIterable, Sendable {
  // I2C and SPI
  case i2cDisabled = "i2c-disabled"
  case i2cAwaitsRestart = "i2c-awaits-restart"
  case i2cNoBus = "i2c-no-bus"
  case i2cDeviceMissing = "i2c-device-missing"
  case i2cNotAtStart = "i2c-not-at-start"
  case i2cSlow = "i2c-slow"
  case i2cFast = "i2c-fast"
  case i2cClockStretching = "i2c-clock-stretching"
  case spiDisabled = "spi-disabled"
  // Serial ports
  case serialConsole = "serial-console"
  case serialLogin = "serial-login"
  case serialOff = "serial-off"
  case serialMissing = "serial-missing"
  case serialBluetooth = "serial-bluetooth"
  case serialMiniUART = "serial-mini-uart"
  case serialDebugConnector = "serial-debug-connector"
  // Users and devices
  case accessUser = "access-user"
  case accessLogin = "access-login"
  case accessService = "access-service"
  case accessDevice = "access-device"
  case accessSocket = "access-socket"
  case serviceUser = "service-user"
  case serviceStopped = "service-stopped"
  // GPIO and pulses
  case gpioHeader = "gpio-header"
  case gpioNumber = "gpio-number"
  case pulseMissing = "pulse-missing"
  case pulseSilent = "pulse-silent"
  case pulseLineTaken = "pulse-line-taken"
  // Time and the magnetic model
  case timeNotSet = "time-not-set"
  case timeNotSynchronised = "time-not-synchronised"
  case timeTwoServices = "time-two-services"
  case timeSteps = "time-steps"
  case modelExpired = "model-expired"
  case modelExpiring = "model-expiring"
  // State and disk
  case stateReadOnly = "state-read-only"
  case stateVolatile = "state-volatile"
  case stateOwner = "state-owner"
  case diskFull = "disk-full"
  // Other owners of the devices
  case ownerGPSD = "owner-gpsd"
  case ownerModemManager = "owner-modemmanager"
  case ownerProgram = "owner-program"
  case ownerSecondDaemon = "owner-second-daemon"
  // CAN
  case canMissing = "can-missing"
  case canDown = "can-down"
  // Power
  case powerLow = "power-low"
  case powerThrottled = "power-throttled"
  case powerEarlier = "power-earlier"
  // Configuration and libraries
  case configurationRefused = "configuration-refused"
  case libraryMissing = "library-missing"
  // The daemon's log and the sensors while they were observed
  case logChipLost = "log-chip-lost"
  case liveNoSource = "live-no-source"
  case liveChipLost = "live-chip-lost"
  case liveUnsteady = "live-unsteady"
  case liveChipSilent = "live-chip-silent"
  case liveSlow = "live-slow"
  case liveGaps = "live-gaps"
  case liveConstant = "live-constant"
  case liveSaturated = "live-saturated"
  case liveNoField = "live-no-field"
  case liveContradicted = "live-contradicted"
  case liveReceiver = "live-receiver"
  case liveSentences = "live-sentences"
  case liveSources = "live-sources"
  case liveSourceUntrusted = "live-source-untrusted"
  case liveSignals = "live-signals"
  case liveAntennas = "live-antennas"
  case liveSetUp = "live-set-up"
  case liveCorrections = "live-corrections"
  case liveLate = "live-late"
  case liveClock = "live-clock"
}

/// The topics of the checks, in the order of the output.
package enum CheckTopic: String, CaseIterable, Sendable {
  case i2c, spi, serial, can, access, gpio, pulse, time, model, storage, owners, power
  case configuration, libraries, log, live
}
