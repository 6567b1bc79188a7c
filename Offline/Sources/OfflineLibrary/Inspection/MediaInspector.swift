// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineDownloads
package import OfflineModel
package import OfflineSources
import Tidings
import TidingsHTTP

/// Finds out which media a download would fetch, without creating an item or fetching the media.
///
/// The sources use the functions that also plan a download. The requests have the same limits and
/// rules as the requests of a download.
package struct MediaInspector: Sendable {
    let clients: HTTPClients
    let sources: MediaSources
    /// The choice for everything that a request leaves open.
    var defaults = MediaChoice()
    let retries: RequestRetries

    /// The number of tries of a request.
    ///
    /// The number is small because a user waits for the response.
    static let maximumTries = 2

    /// Creates an inspector that needs no library.
    ///
    /// Call `close` to end the connections.
    package static func standalone() -> MediaInspector {
        MediaInspector(
            clients: HTTPClients(userAgent: LibraryConfiguration.userAgent, ownServer: nil),
            sources: .standard,
            retries: RequestRetries(
                connectivity: ConnectivityMonitor(messages: MessageCenter()),
                clock: ContinuousClock(),
                policy: DownloadRetryPolicy(maximumTries: maximumTries, longestRetryAfter: .zero),
                showWaiting: { _ in }
            )
        )
    }

    /// Ends the connections of a standalone inspector.
    package func close() { clients.close() }

    /// Returns the media that a request would fetch.
    ///
    /// This method is concurrent because it reads large documents.
    ///
    /// - Returns: The inspection, whose `refusal` is the error of a download that would fail.
    /// - Throws: `CancellationError`.
    @concurrent
    package func inspect(_ request: DownloadRequest) async throws -> MediaInspection {
        var inspection = MediaInspection(request.origin)
        do {
            let endpoint = try clients.endpoint(
                for: request.origin,
                allowingPrivate: request.allowsPrivateAddresses,
                with: request.options
            )
            let look = Look(
                inspector: self,
                request: request,
                choice: request.choice.choice(else: defaults),
                folder: Self.temporaryFolder()
            )
            try await look.run(at: endpoint, &inspection)
        } catch {
            let error = DownloadError(error)
            if error.code == .cancelled { throw CancellationError() }
            inspection.refusal = ItemFailure(code: error.code.description, message: error.message)
        }
        return inspection
    }

    /// Returns a folder that does not exist yet, for the files of yt-dlp.
    private static func temporaryFolder() -> String {
        let name = "offline-inspect-\(UUID().uuidString)"
        return FileManager.default.temporaryDirectory.appending(path: name).path + "/resolver"
    }
}

/// One inspection.
private struct Look {
    let inspector: MediaInspector
    let request: DownloadRequest
    let choice: MediaChoice
    let folder: String

    private func requests(at endpoint: HTTPClients.Endpoint) -> SourceRequests {
        SourceRequests(
            endpoint: endpoint,
            choice: choice,
            folder: folder,
            retries: inspector.retries
        )
    }

    /// Inspects the media at an address, or the media that the page at the address names.
    func run(
        at endpoint: HTTPClients.Endpoint,
        _ inspection: inout MediaInspection,
        namedBy page: MediaReference? = nil
    ) async throws {
        let response = try await requests(at: endpoint).first(of: inspector.sources)
        inspection.host = response.document.head.address.hostAndPort
        switch response.inspection {
        case .whole(let part):
            inspection.kind = response.kind
            inspection.mediaType = part.mediaType
            inspection.size = part.totalBytes
            let isChosen = page?.hasChosenQuality == true
            let asked = request.choice.choice().beyond(inspector.defaults)
            inspection.notes += (isChosen ? asked.withoutHeight : asked)
                .notes(onFileOf: part.mediaType)
            if choice.chapters != nil {
                inspection.notes.append("The file is fetched whole; then the part is cut from it.")
            }
        case .description(let source):
            inspection.kind = response.kind
            let chapters = page?.chapters ?? []
            try await describe(
                response.document,
                of: source,
                at: endpoint,
                &inspection,
                chapters: chapters
            )
        case .elsewhere(let source):
            guard page == nil else {
                throw DownloadError(referenceToPage: response.document.head.address)
            }
            inspection.kind = response.kind
            try await follow(response.document, of: source, at: endpoint, &inspection)
        }
    }

    /// Returns the plan of the part that a download with this choice would keep.
    private func part(of plan: MediaPlan, _ chapters: [Chapter]) throws -> MediaPlan {
        guard let range = choice.chapters else { return plan }
        return try plan.part(range, stated: chapters)
    }

    private func describe(
        _ document: SourceDocument,
        of source: any DescribedSource,
        at endpoint: HTTPClients.Endpoint,
        _ inspection: inout MediaInspection,
        chapters: [Chapter]
    ) async throws {
        if let list = (source as? HLSSource)?.links(in: document) {
            inspection.kind = .feed
            inspection.candidates = FeedSource.candidates(of: list)
            if !list.title.isEmpty { inspection.title = list.title }
            throw FeedSource().refusal(of: list, requests(at: endpoint))
        }
        inspection.add(try source.offer(document, choice))
        do {
            let whole = try await source.plan(document, with: requests(at: endpoint))
            let plan = try part(of: whole, chapters)
            inspection.add(plan)
            if let title = plan.title, inspection.title == Title(origin: request.origin).text {
                inspection.title = title
            }
        } catch let error as PlaylistError where error.code == .live {
            inspection.isLive = true
            guard request.live != nil, let live = source as? any LiveSource else { throw error }
            let stream = try live.liveStream(document, choice, at: endpoint.address)
            inspection.notes += stream.notes
        }
    }

    private func follow(
        _ document: SourceDocument,
        of source: any ReferringSource,
        at endpoint: HTTPClients.Endpoint,
        _ inspection: inout MediaInspection
    ) async throws {
        if let source = source as? FeedSource {
            let feed = try await source.entries(in: document)
            inspection.candidates = feed.candidates
            if !feed.title.isEmpty { inspection.title = feed.title }
        }
        let found = try await source.references(in: document, with: requests(at: endpoint))
        inspection.candidates = found.compactMap(\.candidate)
        guard found.count == 1, let reference = found.first else {
            inspection.title = found.first?.pageTitle ?? inspection.title
            return
        }
        if let title = reference.title { inspection.title = title }
        inspection.notes += reference.notes
        if let offer = reference.offer { inspection.add(offer) }
        if let plan = reference.plan {
            inspection.kind = .site
            inspection.host = reference.address.hostAndPort
            inspection.add(try part(of: plan, reference.chapters))
        } else {
            let next = endpoint.referred(by: reference.page, to: reference.address)
            try await run(at: next, &inspection, namedBy: reference)
        }
        inspection.add(reference.subtitles)
        inspection.duration = inspection.duration ?? reference.candidate?.duration
    }
}

extension MediaInspection {
    fileprivate mutating func add(_ offer: MediaOffer) {
        if !offer.qualities.isEmpty { qualities = offer.qualities }
        if !offer.audio.isEmpty { audio = offer.audio }
        if !offer.subtitles.isEmpty { subtitles = offer.subtitles }
    }

    /// Adds the subtitles of a page, except for languages that the stream has.
    fileprivate mutating func add(_ files: [SubtitleReference]) {
        func code(_ language: String?) -> String? {
            language.flatMap(TrackDescription.languageCode)
        }
        let own = Set(subtitles.map { code($0.language) })
        let others = files.filter { !own.contains(code($0.language)) }.map { file in
            MediaOffer.Language(named: file.name, language: file.language, isKept: file.isKept)
        }
        subtitles += MediaOffer(subtitles: others).subtitles
    }

    fileprivate mutating func add(_ plan: MediaPlan) {
        notes += plan.notes
        let seconds = plan.tracks.map { $0.parts.reduce(0) { $0 + ($1.duration ?? 0) } }
        if let longest = seconds.max(), longest > 0 { duration = longest }
    }
}

extension WebAddress {
    /// The host, with the port unless the port is the default of the scheme.
    fileprivate var hostAndPort: String {
        port == (scheme == "https" ? 443 : 80) ? host : "\(host):\(port)"
    }
}
