// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsDiagnostics

@testable import OfflineApp
@testable import OfflineDownloads
@testable import OfflineLibrary
@testable import OfflineModel
@testable import OfflineServer
@testable import OfflineStore

/// A library in a temporary folder with its server on a free port.
struct TestServer: Sendable {
    static let token = "0123456789abcdef0123456789abcdef"

    let library: Library
    let server: OfflineServer
    let client: RawClient

    /// Runs `body` with a server, then stops the server and removes the folder.
    static func run(
        clock: any Clock<Duration> = ContinuousClock(),
        reporting: ReportingSettings = ReportingSettings(capture: .off),
        hosts: [String] = [],
        showInFolder: (@Sendable (String) async -> Bool)? = nil,
        _ body: (TestServer) async throws -> Void
    ) async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "offline-server-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        var settings = LibraryConfiguration(directory: LibraryDirectory(path: path))
        settings.connectivity = nil
        let library = try Library(settings)
        let configuration = OfflineServer.Configuration(
            port: 0,
            hosts: hosts,
            token: token,
            showInFolder: showInFolder,
            clock: clock
        )
        let reports = try LibraryReports(library.directory, reporting)
        let app = try OfflineApp(
            library: library,
            reports: reports,
            desktop: nil,
            configuration: configuration
        )
        let server = app.server
        try app.start()
        let port = server.origin.split(separator: ":").last.flatMap { UInt16($0) } ?? 0
        let fixture = TestServer(library: library, server: server, client: RawClient(port: port))
        // The reports are written into the same folder.
        let stop = {
            await app.stop()
            await reports.close(timeout: .seconds(120))
        }
        do {
            try await body(fixture)
        } catch {
            await stop()
            throw error
        }
        await stop()
    }

    /// Sends a request with the server's host and token.
    func send(
        _ method: String,
        _ path: String,
        _ headers: [String] = [],
        body: String? = nil
    ) async throws -> RawClient.Response {
        var lines = [
            "\(method) \(path) HTTP/1.1", "Host: 127.0.0.1:\(client.port)",
            "Authorization: Bearer \(Self.token)",
        ]
        if let body {
            lines += ["Content-Type: application/json", "Content-Length: \(body.utf8.count)"]
        }
        return try await client.send(lines + headers, body: [UInt8]((body ?? "").utf8))
    }

    /// Reads an endless response until `isComplete` returns true for the received text.
    ///
    /// The reading also stops when the response ends.
    func follow(
        _ path: String = "/api/events",
        until isComplete: @escaping @Sendable (String) -> Bool
    ) async throws -> String {
        let lines = [
            "GET \(path) HTTP/1.1", "Host: 127.0.0.1:\(client.port)",
            "Authorization: Bearer \(Self.token)", "", "",
        ]
        let request = [UInt8](lines.joined(separator: "\r\n").utf8)
        let bytes = try await client.exchange(request) { isComplete(RawClient.joined($0)) }
        return RawClient.joined(bytes)
    }

    /// Adds a finished item with `bytes` as its file.
    func addReady(
        title: String,
        bytes: [UInt8],
        mediaType: String? = "video/mp4"
    ) throws -> MediaItem {
        let request = DownloadRequest(try ItemOrigin(text: "https://media.example/\(title.count)"))
        let item = try library.journal.insert(request, state: .ready, title: title, at: Date())
        let name = "\(item.id).mp4"
        try Data(bytes).write(to: URL(filePath: library.directory.mediaFile(name)))
        try library.journal.change(
            item.id,
            .set(\.mediaType, mediaType),
            .file(name: name, size: Int64(bytes.count)),
            .set(\.readyAt, Date())
        )
        return try library.item(item.id)
    }
}
