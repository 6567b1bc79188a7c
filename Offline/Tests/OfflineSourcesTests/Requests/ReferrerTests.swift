// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsHTTP

@testable import OfflineModel
@testable import OfflineSources

@Suite(.timeLimit(.minutes(15)))
struct ReferrerTests {
    @Test(arguments: [
        ("https://a.example/p?secret=1", "https://a.example/v.mp4", "https://a.example/p?secret=1"),
        ("https://a.example/p?secret=1", "https://b.example/v.mp4", "https://a.example/"),
        ("http://a.example:81/p/q?secret=1", "https://a.example/v", "http://a.example:81/"),
        ("https://a.example/p", "http://a.example/v.mp4", nil),
    ])
    func o14_anotherOriginLearnsOnlyTheOriginOfThePage(
        page: String,
        media: String,
        referrer: String?
    ) throws {
        #expect(try WebAddress(page).referrer(for: WebAddress(media)) == referrer)
    }

    @Test func o14_theHeadersOfThePageReachNoOtherOrigin() throws {
        let client = HTTPClient()
        let page = try WebAddress("https://a.example/p")
        let secret = HTTPHeader("Cookie", "secret=1")
        let origin = HTTPClients.Endpoint(client: client, address: page, headers: [secret])
        let media = try WebAddress("https://b.example/v.mp4")
        let endpoint = origin.referred(by: page, to: media)
        for address in [media, page] {
            #expect(!endpoint.request(address).headers.contains { $0.name == "Cookie" })
        }
        client.close()
    }

    @Test func o11_theAddressOfAPageIsFetchedUnderTheRulesOfTheItem() throws {
        let clients = HTTPClients(userAgent: "test", ownServer: nil)
        let page = try WebAddress("https://a.example/p")
        let media = try WebAddress("http://127.0.0.1/v.mp4")
        for isAllowed in [false, true] {
            let client = clients.client(allowingPrivate: isAllowed)
            let origin = HTTPClients.Endpoint(client: client, address: page, headers: [])
            #expect(origin.referred(by: page, to: media).client === client)
        }
        clients.close()
    }
}
