// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsHTTP

@testable import OfflineModel
@testable import OfflineSources

@Suite(.timeLimit(.minutes(15)))
struct ItemLimitsTests {
    private let limits = ItemLimits()
    private let id = ItemID(rawValue: 1)

    @Test func o22_aRunningItemTakesANewLimitAtOnce() {
        let limit = limits.begin(id, nil)
        #expect(!limit.isActive)
        limits.change(id, to: .bytesPerSecond(20_000))
        #expect((limit.rate, limits.rate(of: id)) == (20_000, 20_000))
        limits.change(id, to: .none)
        #expect(!limit.isActive)
    }

    @Test func anItemThatHasEndedHasNoLimit() {
        _ = limits.begin(id, .bytesPerSecond(20_000))
        limits.end(id)
        limits.change(id, to: .bytesPerSecond(30_000))
        #expect(limits.rate(of: id) == nil)
    }

    @Test func o22_allRequestsOfAnItemShareItsLimitAndTheOneOfAllDownloads() throws {
        let clients = HTTPClients(userAgent: "test", ownServer: nil)
        defer { clients.close() }
        let limit = clients.itemLimits.begin(id, .bytesPerSecond(20_000))
        let address = try WebAddress("https://a.example/film")
        let endpoint = try clients.endpoint(
            for: .address(address),
            allowingPrivate: false,
            limit: limit
        )
        for request in [endpoint.request(address), endpoint.request(address)] {
            #expect(
                request.limits.map(ObjectIdentifier.init)
                    == [clients.limit, limit].map(ObjectIdentifier.init)
            )
        }
        var recording = endpoint
        recording.isLive = true
        #expect(recording.request(address).limits.isEmpty)
    }
}
