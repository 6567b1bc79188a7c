// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TidingsDesktop

@Suite(.timeLimit(.minutes(15))) struct BusAddressTests {
    @Test func theEnvironmentVariableHasTheAddress() {
        let address = BusAddress.session { $0 == "DBUS_SESSION_BUS_ADDRESS" ? "unix:path=/a" : nil }
        #expect(address == "unix:path=/a")
    }

    @Test func withoutTheVariableTheRuntimeDirectoryIsUsed() {
        let environment: (String) -> String? = { $0 == "XDG_RUNTIME_DIR" ? "/run/a b" : nil }
        #expect(
            BusAddress.session(environment: environment) { $0 == "/run/a b/bus" }
                == "unix:path=/run/a%20b/bus"
        )
        #expect(BusAddress.session(environment: environment) { _ in false } == nil)
    }

    @Test func withoutASessionThereIsNoAddress() {
        #expect(BusAddress.session(environment: { _ in nil }, exists: { _ in true }) == nil)
        #expect(BusAddress.session(environment: { _ in "" }, exists: { _ in true }) == nil)
    }
}
