// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsDiagnostics

@testable import OfflineLibrary
@testable import OfflineServer

/// A library in a temporary folder with its server on a free port.
struct TestServer: Sendable {
    static let token = "0123456789abcdef0123456789abcdef"

    let library: Library
    let server: OfflineServer
    let client: RawClient

    /// Runs `body` with a server that is stopped and whose folder is removed afterwards.
    static func run(
        clock: any Clock<Duration> = ContinuousClock(),
        reporting: ReportingSettings = ReportingSettings(capture: .off),
        _ body: (TestServer) async throws -> Void
    ) async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "offline-server-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let library = try Library(LibraryConfiguration(directory: LibraryDirectory(path: path)))
        let configuration = OfflineServer.Configuration(port: 0, token: token, clock: clock)
        let reports = try LibraryReports(library.directory, reporting)
        let server = try OfflineServer(
            library: library,
            reports: reports,
            configuration: configuration
        )
        try server.start()
        let port = server.origin.split(separator: ":").last.flatMap { UInt16($0) } ?? 0
        let fixture = TestServer(library: library, server: server, client: RawClient(port: port))
        do {
            try await body(fixture)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    /// Sends a request with own Host and token.
    func ask(
        _ method: String,
        _ path: String,
        _ headers: [String] = [],
        body: String? = nil
    ) async throws -> RawClient.Answer {
        var lines = [
            "\(method) \(path) HTTP/1.1", "Host: 127.0.0.1:\(client.port)",
            "Authorization: Bearer \(Self.token)",
        ]
        if let body {
            lines += ["Content-Type: application/json", "Content-Length: \(body.utf8.count)"]
        }
        return try await client.ask(lines + headers, body: [UInt8]((body ?? "").utf8))
    }

    /// Reads an endless answer until `isEnough` or its end; both are shown all that came.
    func follow(
        _ path: String = "/api/events",
        until isEnough: @escaping @Sendable (String) -> Bool
    ) async throws -> String {
        let lines = [
            "GET \(path) HTTP/1.1", "Host: 127.0.0.1:\(client.port)",
            "Authorization: Bearer \(Self.token)", "", "",
        ]
        let request = [UInt8](lines.joined(separator: "\r\n").utf8)
        let bytes = try await client.exchange(request) {
            isEnough(String(decoding: $0, as: UTF8.self))
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Puts a finished item into the library, its file holding `bytes`.
    func addReady(
        title: String,
        bytes: [UInt8],
        mediaType: String? = "video/mp4"
    ) throws -> MediaItem {
        let request = DownloadRequest(try MediaSource(text: "https://media.example/\(title.count)"))
        let item = try library.journal.insert(request, title: title, at: Date())
        let name = "\(item.id).mp4"
        try Data(bytes).write(to: URL(filePath: library.directory.mediaFile(name)))
        try library.journal.change(
            item.id,
            .state(.ready),
            .mediaType(mediaType),
            .file(name: name, size: Int64(bytes.count)),
            .readyAt(Date())
        )
        return try library.item(item.id)
    }
}
