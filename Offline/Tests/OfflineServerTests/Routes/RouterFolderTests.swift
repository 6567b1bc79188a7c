// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TidingsLock

@testable import OfflineLibrary
@testable import OfflineModel

/// Tests of the library's folder and of this machine's file manager.
@Suite(.timeLimit(.minutes(15)))
struct RouterFolderTests {
    private final class FileManagerLog: Sendable {
        let paths = Lock<[String]>([])

        @Sendable func show(_ path: String) -> Bool {
            paths.withLock { $0.append(path) }
            return true
        }
    }

    private func add(_ fixture: TestServer) async throws {
        let media = fixture.library.directory.media
        try Data("text".utf8).write(to: URL(fileURLWithPath: media + "/a b.txt"))
        _ = try await fixture.library.refresh(RefreshOptions(importFiles: true))
    }

    @Test func thePageOfThisMachineShowsFilesInTheirFolder() async throws {
        let log = FileManagerLog()
        try await TestServer.run(showInFolder: log.show) { fixture in
            try await add(fixture)
            let media = fixture.library.directory.media
            let folder = try await fixture.send("GET", "/api/library")
            #expect(folder.text.contains(#""canShow":true"#) && folder.text.contains("freeBytes"))
            let file = try await fixture.send("POST", "/api/items/1/show", body: "{}")
            #expect(file.status == 200 && file.text.contains("a b.txt"), "\(file.text)")
            #expect(try await fixture.send("POST", "/api/library/show", body: "{}").status == 200)
            #expect(log.paths.withLock(\.self) == [media + "/a b.txt", media])
            #expect(try await fixture.send("POST", "/api/items/9/show", body: "{}").status == 404)
        }
    }

    @Test func aPageOnAnotherMachineOpensNoWindowHere() async throws {
        let log = FileManagerLog()
        try await TestServer.run(hosts: ["shelf.example"], showInFolder: log.show) { fixture in
            try await add(fixture)
            for (method, path) in [("POST", "/api/items/1/show"), ("POST", "/api/library/show")] {
                let response = try await fixture.client.send(
                    [
                        "\(method) \(path) HTTP/1.1", "Host: shelf.example:\(fixture.client.port)",
                        "Authorization: Bearer \(TestServer.token)",
                        "Content-Type: application/json", "Content-Length: 2",
                    ],
                    body: [UInt8]("{}".utf8)
                )
                #expect(response.status == 503 && response.text.contains("unavailable"))
            }
            #expect(log.paths.withLock(\.self).isEmpty)
        }
    }

    @Test func withoutADesktopThePathIsNamed() async throws {
        try await TestServer.run { fixture in
            let folder = try await fixture.send("GET", "/api/library")
            #expect(folder.text.contains(#""canShow":false"#))
            let response = try await fixture.send("POST", "/api/library/show", body: "{}")
            #expect(response.status == 503)
            #expect(response.text.contains(fixture.library.directory.media), "\(response.text)")
        }
    }
}
