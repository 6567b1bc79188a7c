// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineMedia
import OfflineModel
import TidingsFiles
import TidingsHTTP
import TidingsLock

/// One run of yt-dlp, with a proxy for this run.
struct SiteRun: Sendable {
    /// The path of the program.
    let executable: String
    /// The page to describe.
    let address: WebAddress
    /// The client whose address rules apply.
    let client: HTTPClient
    /// An empty folder, which is the only folder for the program's files.
    let folder: String
    /// Whether the item has cookies, which the program does not get.
    var hasLogIn = false
    /// The time after which the program is killed.
    var timeLimit = Duration.seconds(120)

    /// Returns the description of the page, or nil if the program cannot read the site.
    ///
    /// - Throws: `DownloadError`.
    func document() async throws -> SiteDocument? {
        do {
            let proxy = try SiteProxy(for: client)
            defer { proxy.stop() }
            // A file passes the address, because other users can read the arguments of a program.
            _ = try? SystemFile.remove("\(folder)/\(Self.list)")
            try SystemFile.create("\(folder)/\(Self.list)", content: Data("\(address.text)\n".utf8))
            let result = try await child(of: proxy).run()
            let account = proxy.account.withLock { $0 }
            if result.status == .exited(0) { return try parse(result) }
            if let refusal = account.refusal { throw DownloadError(refusal) }
            guard !account.isExceeded else { throw Self.exceeded(at: address.host) }
            if case .exited = result.status {
                guard
                    let error = DownloadError(
                        words: result.errorTail,
                        at: address.host,
                        hasLogIn: hasLogIn
                    )
                else {
                    return nil
                }
                throw error
            }
            throw MediaError(result, of: "yt-dlp") ?? .init(.failed, "yt-dlp failed. Try again.")
        } catch let error as MediaError {
            throw DownloadError(resolver: error, at: address.host)
        }
    }

    /// The name of the file with the address.
    private static let list = "addresses"

    private func parse(_ result: ChildProcess.Result) throws -> SiteDocument {
        guard !result.isOutputTruncated, let document = try? SiteDocument(result.output) else {
            throw DownloadError(unreadableResolutionOf: address.host)
        }
        return document
    }

    private static func exceeded(at site: String) -> DownloadError {
        DownloadError(
            .refused,
            "yt-dlp wanted to fetch too much from \(site) and was stopped. Paste the address of "
                + "the media itself."
        )
    }

    private func child(of proxy: SiteProxy) -> ChildProcess {
        var limits = ChildProcess.Limits()
        limits.wallClock = timeLimit
        limits.fileBytes = 1 << 20
        limits.outputBytes = 16 << 20
        var child = ChildProcess(
            executable: executable,
            arguments: [
                "--ignore-config", "--dump-single-json", "--flat-playlist", "--no-playlist",
                "--playlist-items", "1:\(SiteResolver.entryLimit)", "--no-cache-dir",
                "--no-warnings", "--no-progress", "--socket-timeout", "20", "--retries", "1",
                "--extractor-retries", "1", "--format", "b*/bv*/ba*", "--batch-file",
                Self.list,
            ],
            directory: folder,
            limits: limits
        )
        // Only the same user can read the environment, whereas other users can read the arguments.
        child.variables = [
            "HOME=\(folder)", "TMPDIR=\(folder)", "LANG=C.UTF-8", "YTDLP_NO_PLUGINS=1",
            "PYTHONDONTWRITEBYTECODE=1", "http_proxy=\(proxy.address)",
            "https_proxy=\(proxy.address)", "all_proxy=\(proxy.address)",
        ]
        child.networkPort = proxy.port
        return child
    }
}
