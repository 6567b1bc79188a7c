// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import OfflineAPI
@testable import OfflineServer

@Suite(.timeLimit(.minutes(15)))
struct GzipTests {
    private static let long = ServerResponse.json(Array(repeating: "a text", count: 2_000))

    private func encoding(_ response: ServerResponse, accepting wish: String?) -> String? {
        let headers = wish.map { [("Accept-Encoding", $0)] } ?? []
        return response.compressed(for: ServerRequest("GET", "/", headers: headers))
            .header("Content-Encoding")
    }

    @Test(arguments: [
        ("gzip", true), ("deflate, GZIP;q=0.5", true), ("*", true), ("br, x-gzip ; q=1", true),
        ("", false), ("br", false), ("gzip;q=0", false), ("gzip; q=0.0", false),
        ("*, gzip;q=0", false), ("gzipped", false),
    ])
    func jsonIsCompressedIfTheClientAcceptsIt(_ wish: String, _ accepts: Bool) {
        #expect((encoding(Self.long, accepting: wish) == "gzip") == accepts)
    }

    @Test func aClientWithoutAWishGetsTheBytes() {
        #expect(encoding(Self.long, accepting: nil) == nil)
    }

    @Test(arguments: ["text/javascript; charset=utf-8", "text/css; charset=utf-8", "image/svg+xml"])
    func theFilesOfThePageAreCompressed(type: String) {
        let file = ServerResponse.bytes(Array(repeating: 1, count: 9_000), type: type)
        #expect(encoding(file, accepting: "gzip") == "gzip")
    }

    /// An entry address is a secret, so the length of the response must depend on nothing else.
    @Test func shortResponsesAndOtherTypesAreNotCompressed() {
        let ticket = ServerResponse.json(EntryJSON(address: "http://127.0.0.1:1/?ticket=a"))
        #expect(encoding(ticket, accepting: "gzip") == nil)
        let media = ServerResponse.bytes(Array(repeating: 1, count: 9_000), type: "video/mp4")
        #expect(encoding(media, accepting: "gzip") == nil)
    }

    @Test func theFormIsGzip() throws {
        let bytes = [UInt8](repeating: 7, count: 5_000)
        let packed = try #require(ServerResponse.gzip(bytes))
        #expect(packed.prefix(3) == [0x1F, 0x8B, 8])
        #expect(packed.suffix(4) == [0x88, 0x13, 0, 0])
        #expect(packed.count < 100)
    }
}
