// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import TidingsFiles
import TidingsHTTP

/// Finds the media of a page with yt-dlp, which only describes them.
///
/// It runs as a child with limits, without the user's settings, and reaches the network only
/// through a proxy with the address rules of the item.
struct SiteResolver: Sendable {
    /// The maximum number of films of a page to list.
    static let entryLimit = 32

    /// The path of the program.
    let executable: String

    /// Searches for the program; nil if it is not installed.
    init?(in searchPath: String?) {
        guard let path = try? MediaTool.siteResolver.path(in: searchPath) else { return nil }
        executable = path
    }

    /// Returns the media of the item's page.
    ///
    /// - Parameters:
    ///   - page: The title of the page; nil if it has none.
    ///   - refusal: The error for a page that yt-dlp cannot read, either.
    ///   - requests: The requests of the item.
    /// - Returns: The reference.
    /// - Throws: `DownloadError` if there are no media, or several.
    func reference(
        titled page: String?,
        otherwise refusal: DownloadError,
        with requests: SourceRequests
    ) async throws(DownloadError) -> MediaReference {
        let address = requests.endpoint.address
        let site = address.host
        var document = try await document(of: address, otherwise: refusal, with: requests)
        if let entries = document.entries {
            guard entries.count == 1, let entry = entries.first else {
                throw Self.refusal(of: entries, at: address) ?? refusal
            }
            // The list of a page contains the addresses of its films, but not their forms.
            let isListed = entry.formats.isEmpty
            document = entry
            if isListed, let next = Self.address(entry) {
                document = try await self.document(of: next, otherwise: refusal, with: requests)
            }
        }
        let rendition = try rendition(of: requests)
        let choice = try SiteChoice(document, rendition, site: site)
        guard let media = choice.format.address else { throw refusal }
        let title = document.title.map { Title(line: $0, fallback: "").text }
        let own = title?.isEmpty == false ? title : nil
        return MediaReference(
            address: media,
            page: choice.format.referrer ?? address,
            title: document.extractor == "Generic" ? page ?? own : own ?? page,
            notes: choice.notes,
            plan: choice.plan(of: document),
            chapters: document.chapters,
            picture: document.picture.flatMap { try? WebAddress($0) }
        )
    }

    private func rendition(
        of requests: SourceRequests
    ) throws(DownloadError) -> RenditionChoice {
        do {
            return try requests.environment.journal.registry.item(requests.id)?.rendition ?? .best
        } catch {
            throw DownloadError(error)
        }
    }

    private static func refusal(
        of entries: [SiteDocument],
        at address: WebAddress
    ) -> DownloadError? {
        let candidates = entries.compactMap { entry -> PageCandidate? in
            guard let own = Self.address(entry) ?? entry.formats.last(where: \.isUsable)?.address
            else { return nil }
            var candidate = PageCandidate(
                media: PageMedia(address: own, format: .video),
                place: .script
            )
            candidate.title = entry.title.map { Title(line: $0, fallback: "").text }
            return candidate
        }
        return candidates.isEmpty ? nil : DownloadError(choosingFrom: candidates, at: address)
    }

    private static func address(_ entry: SiteDocument) -> WebAddress? {
        entry.address.flatMap { try? WebAddress($0) }
    }

    /// Runs the program for a page, and again after a failure of the network.
    private func document(
        of address: WebAddress,
        otherwise refusal: DownloadError,
        with requests: SourceRequests
    ) async throws(DownloadError) -> SiteDocument {
        try await requests.environment.retrying(requests.id, at: address) {
            let folder = requests.environment.directory.resolver(of: requests.id)
            try SystemFile.makeFolder(requests.environment.directory.work(of: requests.id))
            try SystemFile.makeFolder(folder)
            defer {
                SystemFile.removeFolder(folder)
                // The item's folder is left only if it contains something else.
                rmdir(requests.environment.directory.work(of: requests.id))
            }
            return try await SiteRun(
                executable: executable,
                address: address,
                client: requests.endpoint.client,
                folder: folder
            ).document() ?? { throw refusal }()
        }
    }
}
