// SPDX-License-Identifier: Apache-2.0
import OfflineModel
import OfflineSources
import OfflineStore
import TidingsHTTP

/// The steps of a download that depend on the content at the item's address.
struct ItemContent: Sendable {
    let environment: DownloadEnvironment
    let item: MediaItem

    var id: ItemID { item.id }
    var replaced: ReplacedAddress { ReplacedAddress(directory: environment.directory, id: id) }

    /// Fetches the item and returns the complete file in the item's work folder.
    func media(at origin: HTTPClients.Endpoint) async throws -> CompleteFile {
        let extras = try await extrasOfFeed(from: origin)
        let recorded = try parts(at: origin).recordedParts()
        if try await isRecorded(from: origin) {
            return try await Assembly(environment: environment, id: id).run()
        }
        let isWhole = !recorded.isEmpty && !recorded.contains(where: \.isOutstanding)
        if !isWhole || replaced.isMarked {
            let media = try await media(hasParts: !recorded.isEmpty, from: origin, extras)
            var plan: MediaPlan
            switch media.content {
            case .fetched(.whole):
                return CompleteFile(path: environment.directory.partialFile(of: id))
            case .fetched(.reference(_, let page)):
                throw DownloadError(referenceToPage: page.head.address)
            case .fetched(.description(let source, let description)):
                let requests = requests(at: media.endpoint)
                do {
                    plan = try await source.plan(description, with: requests)
                } catch let error as PlaylistError where error.code == .live && item.live != nil {
                    guard let source = source as? any LiveSource else { throw error }
                    try await record(source, description, of: media)
                    return try await Assembly(environment: environment, id: id).run()
                }
            case .planned(let planned):
                plan = planned
            }
            if let range = item.choice.chapters {
                let journal = environment.journal
                plan = try plan.part(range, stated: try journal.files.chapters(of: id))
                try journal.files.setChapters(plan.chapters, of: id)
            }
            // The stream has ended, so the segments can wait.
            var endpoint = media.endpoint
            endpoint.isLive = false
            let download = parts(at: endpoint, media.notes, media.extras)
            try await download.fetch(try await download.record(plan, over: recorded))
        }
        return try await Assembly(environment: environment, id: id).run()
    }

    /// Keeps the picture that the feed names for the item.
    private func extrasOfFeed(from origin: HTTPClients.Endpoint) async throws -> StatedExtras {
        let journal = environment.journal
        guard let picture = try journal.items.row(of: id)?.pictureAddress else {
            return StatedExtras()
        }
        let feed = (try? journal.items.options(of: id))?.referrer ?? origin.address
        let hasCover = try await keepCover(at: picture, of: feed, from: origin, isNew: false)
        return StatedExtras(hasCover: hasCover)
    }

    /// The content of an item, and the item's own address or the address that the item's page
    /// names.
    struct Media {
        enum Content {
            case fetched(AddressDownload.Outcome)
            case planned(MediaPlan)
        }

        let endpoint: HTTPClients.Endpoint
        let content: Content
        var notes: [String] = []
        var extras = StatedExtras()
    }

    private func parts(
        at endpoint: HTTPClients.Endpoint,
        _ notes: [String] = [],
        _ extras: StatedExtras = StatedExtras()
    ) -> PartsDownload {
        var item = item
        item.fields.note = ItemNote(notes, after: item.note).text
        return PartsDownload(
            environment: environment,
            endpoint: endpoint,
            item: item,
            extras: extras
        )
    }

    func requests(at endpoint: HTTPClients.Endpoint) -> SourceRequests {
        environment.requests(at: endpoint, of: id, choosing: item.choice)
    }

    func media(
        hasParts: Bool,
        from origin: HTTPClients.Endpoint,
        _ extras: StatedExtras = StatedExtras()
    ) async throws -> Media {
        let record = RecordedReference(environment: environment, id: id)
        let source: any ReferringSource
        let page: SourceDocument
        if replaced.isMarked { try record.forget() }
        if record.exists && (hasParts || record.hasBytes),
            let referring = environment.sources.referringSource
        {
            source = referring
            page = try await self.page(of: referring, at: origin)
        } else {
            let content = try await content(hasParts: hasParts, at: origin, extras)
            guard case .reference(let referring, let document) = content else {
                return Media(endpoint: origin, content: .fetched(content), extras: extras)
            }
            guard record.exists || replaced.isMarked || !record.hasBytes else {
                throw DownloadError(refusing: .html, at: origin.address)
            }
            (source, page) = (referring, document)
        }
        let named = try await follow(source, page, from: origin, extras: extras)
        do {
            return try await media(named, hasParts: hasParts)
        } catch let error as DownloadError where error.code == .status && !error.isTransient {
            // The address may have expired since the page named it.
            let page = try await self.page(of: source, at: origin)
            let renewed = try await follow(source, page, from: origin, extras: extras)
            guard renewed.endpoint.address != named.endpoint.address else { throw error }
            return try await media(renewed, hasParts: hasParts)
        }
    }

    /// Returns the content at the item's address.
    ///
    /// The user may have replaced the address with a page, even for a recording.
    private func content(
        hasParts: Bool,
        at origin: HTTPClients.Endpoint,
        _ extras: StatedExtras
    ) async throws -> AddressDownload.Outcome {
        do {
            return try await recognize(hasParts: hasParts, at: origin, extras: extras)
        } catch let error as DownloadError {
            guard error.code == .changed, hasParts, item.isRecording, replaced.isMarked,
                let source = environment.sources.referringSource
            else { throw error }
            do {
                return .reference(source, try await page(of: source, at: origin))
            } catch let other as DownloadError where other.code == .changed {
                throw error
            }
        }
    }

    private func media(_ named: Named, hasParts: Bool) async throws -> Media {
        if let plan = named.plan {
            try environment.journal.advance(id, .readPlaylist, with: .set(\.kind, .site))
            return Media(
                endpoint: named.endpoint,
                content: .planned(plan),
                notes: named.notes,
                extras: named.extras
            )
        }
        let content = try await recognize(
            hasParts: hasParts,
            at: named.endpoint,
            choosing: named.choice,
            notes: named.notes,
            extras: named.extras
        )
        return Media(
            endpoint: named.endpoint,
            content: .fetched(content),
            notes: named.notes,
            extras: named.extras
        )
    }

    /// Returns the page of an item whose bytes come from an address that the page named.
    private func page(
        of source: any ReferringSource,
        at origin: HTTPClients.Endpoint
    ) async throws -> SourceDocument {
        try environment.journal.advance(id, .readPlaylist)
        return try await requests(at: origin).fetch(
            origin.address,
            for: source,
            otherwise: DownloadError(
                .changed,
                "This address no longer returns \(source.name). The received data is kept: try "
                    + "again later, or remove the item and add its address again."
            )
        )
    }

    /// An address that a page names, with sentences about the address for the user.
    private struct Named {
        let endpoint: HTTPClients.Endpoint
        let notes: [String]
        let choice: MediaChoice
        let plan: MediaPlan?
        let extras: StatedExtras
    }

    /// Records the address that a page names, and gives the item the title of the page.
    ///
    /// The picture from the item's feed takes precedence over the picture from the page.
    private func follow(
        _ source: any ReferringSource,
        _ page: SourceDocument,
        from origin: HTTPClients.Endpoint,
        extras: StatedExtras
    ) async throws -> Named {
        let references = try await source.references(in: page, with: requests(at: origin))
        guard references.count == 1, let reference = references.first else {
            throw DownloadError(
                choosingFrom: references,
                at: page.head.address,
                with: SuggestedCommand(item, origin.access?.options ?? RequestOptions())
            )
        }
        var notes = reference.notes
        let record = RecordedReference(environment: environment, id: id)
        let isOther = try record.record(reference.address)
        if isOther { notes.append("Started over: the page now names another address.") }
        var extras = extras
        if !reference.chapters.isEmpty {
            try environment.journal.files.setChapters(reference.chapters, of: id)
            extras.hasChapters = true
        }
        if !extras.hasCover, let picture = reference.picture {
            extras.hasCover = try await keepCover(
                at: picture,
                of: reference.page,
                from: origin,
                isNew: isOther || replaced.isMarked
            )
        }
        notes += try await keepSubtitles(
            of: reference,
            from: origin,
            isNew: isOther || replaced.isMarked
        )
        if let title = reference.title {
            try environment.journal.change(id, .title(title, from: .page))
        }
        let endpoint = origin.referred(by: reference.page, to: reference.address)
        return Named(
            endpoint: endpoint,
            notes: notes,
            choice: reference.hasChosenQuality ? item.choice.withoutHeight : item.choice,
            plan: reference.plan,
            extras: extras
        )
    }
}
