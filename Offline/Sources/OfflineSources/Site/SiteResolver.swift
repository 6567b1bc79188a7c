// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import OfflineMedia
import OfflineModel
import TidingsFiles
import TidingsHTTP

/// Finds the media of a page with yt-dlp, which only describes the media.
///
/// yt-dlp runs as a child process with limits and without the user's settings. The child reaches
/// the network only through a proxy that applies the address rules of the item.
struct SiteResolver: Sendable {
    /// The maximum number of films of a page to list.
    static let entryLimit = 32

    /// The path of the program.
    let executable: String

    /// Searches for the program, and returns nil if the program is not installed.
    init?(in searchPath: String?) {
        guard let path = try? MediaTool.siteResolver.path(in: searchPath) else { return nil }
        executable = path
    }

    /// Returns the media of the item's page.
    ///
    /// - Parameters:
    ///   - page: The title of the page, or nil if the page has none.
    ///   - refusal: The error for a page that yt-dlp cannot read either.
    ///   - requests: The requests of the item.
    /// - Returns: The references. For several films, the references lead to the pages of the films.
    /// - Throws: `DownloadError` if yt-dlp finds no media.
    func references(
        titled page: String?,
        otherwise refusal: DownloadError,
        with requests: SourceRequests
    ) async throws(DownloadError) -> [MediaReference] {
        let address = requests.endpoint.address
        let site = address.host
        var document = try await document(of: address, otherwise: refusal, with: requests)
        if let entries = document.entries {
            guard entries.count == 1, let entry = entries.first else {
                let films = entries.compactMap { Self.reference(to: $0, of: address) }
                guard !films.isEmpty else { throw refusal }
                return films
            }
            // The list of a page contains the addresses of the films, but not the forms.
            let isListed = entry.formats.isEmpty
            document = entry
            if isListed, let next = Self.address(entry) {
                document = try await self.document(of: next, otherwise: refusal, with: requests)
            }
        }
        let choice = try SiteChoice(document, requests.choice, site: site)
        guard let media = choice.format.address else { throw refusal }
        let title = document.title.map { Title(line: $0, fallback: "").text }
        let own = title?.isEmpty == false ? title : nil
        var reference = MediaReference(address: media, page: choice.format.referrer ?? address)
        reference.title = document.extractor == "Generic" ? page ?? own : own ?? page
        reference.notes = choice.notes
        reference.hasChosenQuality = true
        reference.plan = choice.plan(of: document)
        reference.subtitles = choice.subtitles
        reference.chapters = document.chapters
        reference.picture = document.picture
        reference.offer = choice.offer(of: document)
        reference.candidate = MediaCandidate(
            address: address.text,
            title: reference.title ?? Title(origin: .address(address)).text,
            format: "site",
            picture: document.picture?.text,
            height: choice.format.size.height,
            duration: document.duration
        )
        return [reference]
    }

    /// Returns the reference to one of several films, or nil without an address.
    private static func reference(
        to entry: SiteDocument,
        of page: WebAddress
    ) -> MediaReference? {
        guard
            let own = address(entry) ?? entry.formats.last(where: \.isUsable)?.address
        else { return nil }
        var reference = MediaReference(address: own, page: page)
        let title = entry.title.map { Title(line: $0, fallback: "").text } ?? ""
        reference.title = title.isEmpty ? nil : title
        reference.candidate = MediaCandidate(
            address: own.text,
            title: reference.title ?? Title(origin: .address(own)).text,
            format: "video",
            picture: entry.picture?.text,
            duration: entry.duration
        )
        return reference
    }

    private static func address(_ entry: SiteDocument) -> WebAddress? {
        entry.address.flatMap { try? WebAddress($0) }
    }

    /// Runs the program for a page, and repeats the run after a network failure.
    private func document(
        of address: WebAddress,
        otherwise refusal: DownloadError,
        with requests: SourceRequests
    ) async throws(DownloadError) -> SiteDocument {
        let folder = requests.folder
        let outer = (folder as NSString).deletingLastPathComponent
        return try await requests.retries.run(at: address) {
            try SystemFile.makeFolder(outer)
            try SystemFile.makeFolder(folder)
            defer {
                SystemFile.removeFolder(folder)
                // This call removes the folder of an item only if the folder is empty.
                rmdir(outer)
            }
            return try await SiteRun(
                executable: executable,
                address: address,
                client: requests.endpoint.client,
                folder: folder,
                hasLogIn: requests.endpoint.access?.options.hasLogIn ?? false
            ).document() ?? { throw refusal }()
        }
    }
}

extension RequestOptions {
    /// Whether the user has passed a value that may be a log-in.
    fileprivate var hasLogIn: Bool {
        !cookies.isEmpty
            || headers.contains { ["cookie", "authorization"].contains($0.name.lowercased()) }
    }
}
