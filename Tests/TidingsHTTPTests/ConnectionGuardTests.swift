// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TidingsHTTP

@Suite(.timeLimit(.minutes(15)))
struct ConnectionGuardTests {
    private func makeGuard(
        _ policy: HTTPAddressPolicy,
        own: [String] = [],
        refusing: [String] = []
    ) throws -> ConnectionGuard {
        let configuration = HTTPClient.Configuration(
            addressPolicy: policy,
            refusedOrigins: Set(try refusing.map { try WebAddress($0).origin })
        )
        let addresses = Set(own.compactMap { NetworkAddress($0) })
        return ConnectionGuard(configuration, ownAddresses: { addresses })
    }

    @Test func publicOnlyRefusesPrivateAddresses() throws {
        let guarded = try makeGuard(.publicOnly)
        #expect(guarded.refusal(of: .v4(0x7F00_0001), port: 80) == .privateAddress)
        #expect(guarded.refusal(of: .v4(0x0808_0808), port: 80) == nil)
    }

    @Test func anyAllowsPrivateAddresses() throws {
        #expect(try makeGuard(.any).refusal(of: .v4(0x7F00_0001), port: 80) == nil)
    }

    @Test(arguments: [
        "127.0.0.1", "127.0.0.2", "0.0.0.0", "::1", "::ffff:127.0.0.1", "192.168.1.7",
        "::ffff:192.168.1.7", "2606:4700::7",
    ])
    func ownPortIsRefusedAtEveryAddressOfThisMachine(text: String) throws {
        let own = ["192.168.1.7", "2606:4700::7"]
        let guarded = try makeGuard(.any, own: own, refusing: ["http://127.0.0.1:8420/"])
        let address = try #require(NetworkAddress(text))
        #expect(guarded.refusal(of: address, port: 8420) == .ownAddress)
        #expect(guarded.refusal(of: address, port: 8421) == nil)
    }

    @Test func theSamePortElsewhereIsAllowed() throws {
        let guarded = try makeGuard(.any, refusing: ["http://127.0.0.1:8420/"])
        #expect(guarded.refusal(of: .v4(0x0808_0808), port: 8420) == nil)
    }

    @Test func interfacesOfThisMachineAreRead() {
        #expect(NetworkAddress.ownAddresses().contains(.v4(0x7F00_0001)))
    }
}
