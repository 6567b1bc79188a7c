// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineTestFixtures
import Testing
import TidingsHTTP
import TidingsTestFixtures

@testable import OfflineMedia
@testable import OfflineModel
@testable import OfflineSources

/// Tests that run shell scripts in place of yt-dlp.
@Suite(.timeLimit(.minutes(15)))
struct SiteRunTests {
    private let origin: OriginServer
    private let folder: TemporaryFolder

    init() async throws {
        origin = try OriginServer()
        folder = try TemporaryFolder()
        try await origin.serve(["/page": ["text": "page"]])
    }

    private func run(
        _ script: String,
        _ policy: HTTPAddressPolicy = .any,
        timeLimit: Duration = .seconds(60)
    ) async throws -> SiteDocument? {
        // If this process wrote the program, the file would be busy while another test starts a
        // child.
        let writer = ChildProcess(
            executable: "/bin/sh",
            arguments: ["-c", "printf '%s\\n' \"$@\" > yt-dlp; chmod 700 yt-dlp", "sh"]
                + ["#!/bin/sh", script],
            directory: folder.path
        )
        _ = try await writer.run()
        return try await SiteRun(
            executable: folder.path + "/yt-dlp",
            address: WebAddress("https://a.example/watch"),
            client: HTTPClient(HTTPClient.Configuration(addressPolicy: policy).patient),
            folder: folder.path,
            timeLimit: timeLimit
        ).document()
    }

    private func refusal(
        _ script: String,
        _ policy: HTTPAddressPolicy = .any,
        timeLimit: Duration = .seconds(60)
    ) async throws -> DownloadError {
        let error = await #expect(throws: DownloadError.self) {
            try await run(script, policy, timeLimit: timeLimit)
        }
        return try #require(error)
    }

    @Test func theDescriptionIsReturned() async throws {
        let document = try await run("echo '{\"title\": \"Reef\"}'")
        #expect(document?.title == "Reef")
        #expect(try await run("echo 'ERROR: Unsupported URL: x' >&2; exit 1") == nil)
    }

    @Test func o27_aHungChildIsKilledAndReported() async throws {
        let error = try await refusal("exec sleep 3600", timeLimit: .milliseconds(200))
        #expect(
            error.message == "yt-dlp needed too long for a.example and was stopped. "
                + "Try again later."
        )
        #expect(!error.isTransient)
    }

    @Test func o27_aCrashIsReportedWithoutItsWords() async throws {
        let error = try await refusal("echo secret 0x7f00 >&2; kill -SEGV $$")
        #expect(error.message == "yt-dlp crashed (signal 11).")
        #expect(!"\(error) \(String(describing: error.cause))".contains("secret"))
    }

    @Test func o27_aPrivateAddressThroughTheProxyIsRefusedByName() async throws {
        let error = try await refusal("curl -s -f \(origin.base)/page || exit 1", .publicOnly)
        #expect(error.code == .privateAddress)
        #expect(error.message.contains("--allow-private"))
        #expect(try await origin.log().isEmpty)
    }

    @Test func o27_outputBeyondTheLimitIsRefused() async throws {
        let error = try await refusal("echo '{}'; head -c 17000000 /dev/zero | tr '\\0' ' '")
        #expect(error.message.contains("cannot read"))
    }

    @Test func o27_filesBeyondTheLimitCannotBeWritten() async throws {
        let error = try await refusal("head -c 2000000 /dev/zero > $HOME/large || exit 1")
        #expect(error.code == .unsupported)
        let size = try FileManager.default.attributesOfItem(atPath: folder.path + "/large")[.size]
        #expect(size as? Int == 1 << 20)
    }
}
