// SPDX-License-Identifier: Apache-2.0
import Glibc
import OfflineTestFixtures
import Testing
import TidingsHTTP
import TidingsLock
import TidingsTestFixtures

@testable import OfflineMedia
@testable import OfflineSources

@Suite(.timeLimit(.minutes(15)))
struct SiteProxyTests {
    private let origin: OriginServer
    private let folder: MediaFolder

    init() async throws {
        origin = try OriginServer()
        folder = try MediaFolder()
        try await origin.serve(["/page": ["text": "page"]])
    }

    /// Returns the standard output of curl behind the proxy.
    private func curl(
        _ address: String,
        _ options: [String] = [],
        through proxy: SiteProxy
    ) async throws -> String {
        var child = ChildProcess(
            executable: "/usr/bin/curl",
            arguments: ["-s", "-m", "60", "-w", "|%{http_code}|%{http_connect}", "-q"]
                + options + [address],
            directory: folder.path
        )
        child.variables = ["http_proxy=\(proxy.address)", "https_proxy=\(proxy.address)"]
        child.networkPort = proxy.port
        return String(decoding: try await child.run().output, as: UTF8.self)
    }

    private func client(_ policy: HTTPAddressPolicy) -> HTTPClient {
        HTTPClient(HTTPClient.Configuration(addressPolicy: policy).patient)
    }

    @Test func o27_pagesAreFetchedThroughTheProxy() async throws {
        let proxy = try SiteProxy(for: client(.any))
        defer { proxy.stop() }
        #expect(try await curl(origin.base + "/page", through: proxy) == "page|200|000")
        #expect(proxy.account.withLock { $0.refusal } == nil)
    }

    @Test(arguments: ["127.0.0.1", "localhost", "[::1]", "10.0.0.1", "169.254.169.254"])
    func o11_privateServersAreRefusedWhenTheConnectionIsMade(host: String) async throws {
        let proxy = try SiteProxy(for: client(.publicOnly))
        defer { proxy.stop() }
        let address = "http://\(host):\(origin.port)/page"
        #expect(try await curl(address, through: proxy) == "|403|000")
        let secure = "https://\(host):\(origin.port)/"
        #expect(try await curl(secure, through: proxy) == "|000|403")
        #expect(proxy.account.withLock { $0.refusal?.code } == .privateAddress)
        #expect(try await origin.log().isEmpty)
    }

    @Test func o27_aTunnelCarriesOnlyEncryptedConnections() async throws {
        let proxy = try SiteProxy(for: client(.any))
        defer { proxy.stop() }
        let output = try await curl(origin.base + "/page", ["--proxytunnel"], through: proxy)
        #expect(output == "|000|200")
        #expect(try await origin.log().isEmpty)
    }

    @Test func o27_bytesBeyondTheLimitEndTheConnection() async throws {
        try await origin.serve(["/large": ["size": 300_000, "seed": 1]])
        let proxy = try SiteProxy(for: client(.any), limits: .init(bytes: 100_000))
        defer { proxy.stop() }
        _ = try await curl(origin.base + "/large", ["-o", "/dev/null"], through: proxy)
        #expect(proxy.account.withLock { $0.isExceeded })
    }

    @Test func o27_theProxyEndsWithItsConnections() async throws {
        try await origin.serve(["/waiting": ["text": "never", "gate": "closed"]])
        let proxy = try SiteProxy(for: client(.any))
        async let output = curl(origin.base + "/waiting", through: proxy)
        try await origin.waitForRequests(atGate: "closed")
        proxy.stop()
        #expect(try await output == "|000|000")
        #expect(try await curl(origin.base + "/page", through: proxy) == "|000|000")
    }

    /// On an older kernel, only the settings of the child lead a request to the proxy.
    @Test(.enabled(if: ChildProcess.canLimitNetwork))
    func o27_childrenReachNoServerDirectly() async throws {
        let proxy = try SiteProxy(for: client(.any))
        defer { proxy.stop() }
        let direct = try await curl(origin.base + "/page", ["--noproxy", "*"], through: proxy)
        #expect(direct == "|000|000")
        #expect(try await origin.log().isEmpty)
    }
}
