// SPDX-License-Identifier: Apache-2.0
import TidingsHTTP

/// The steps of a download that depend on the content at the item's address.
struct ItemContent: Sendable {
    let environment: DownloadEnvironment
    let item: MediaItem

    var id: ItemID { item.id }

    /// Fetches the item and returns the complete file in its work folder.
    func file(at origin: HTTPClients.Endpoint) async throws -> CompleteFile {
        let recorded = try parts(at: origin).recordedParts()
        if try await isRecorded(from: origin) {
            return try await Assembly(environment: environment, id: id).run()
        }
        if recorded.isEmpty || recorded.contains(where: \.isOutstanding) {
            let media = try await media(hasParts: !recorded.isEmpty, from: origin)
            let plan: MediaPlan
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
                    try await record(source, description, media)
                    return try await Assembly(environment: environment, id: id).run()
                }
            case .planned(let planned):
                plan = planned
            }
            let download = parts(at: media.endpoint, media.notes)
            try await download.fetch(try await download.record(plan, over: recorded))
        }
        return try await Assembly(environment: environment, id: id).run()
    }

    /// The content of an item and its address: the item's own, or the one that its page names.
    struct Media {
        enum Content {
            case fetched(AddressDownload.Outcome)
            case planned(MediaPlan)
        }

        let endpoint: HTTPClients.Endpoint
        let content: Content
        var notes: [String] = []
    }

    private func parts(
        at endpoint: HTTPClients.Endpoint,
        _ notes: [String] = []
    ) -> PartsDownload {
        var item = item
        item.note = ItemNote(notes, after: item.note).text
        return PartsDownload(environment: environment, endpoint: endpoint, item: item)
    }

    func requests(at endpoint: HTTPClients.Endpoint) -> SourceRequests {
        environment.requests(at: endpoint, of: id, choosing: item.choice)
    }

    func media(
        hasParts: Bool,
        from origin: HTTPClients.Endpoint
    ) async throws -> Media {
        let record = RecordedReference(environment: environment, id: id)
        let source: any ReferringSource
        let page: SourceDocument
        if record.exists && !record.isReplaced && (hasParts || record.hasBytes),
            let referring = environment.sources.referringSource
        {
            source = referring
            page = try await self.page(of: referring, at: origin)
        } else {
            let content = try await content(hasParts: hasParts, of: record, at: origin)
            guard case .reference(let referring, let document) = content else {
                return Media(endpoint: origin, content: .fetched(content))
            }
            guard record.exists || !record.hasBytes else {
                throw DownloadError(refusing: .html, at: origin.address)
            }
            (source, page) = (referring, document)
        }
        let named = try await follow(source, page, from: origin)
        do {
            return try await media(named, hasParts: hasParts)
        } catch let error as DownloadError where error.code == .status && !error.isTransient {
            // The address may have expired since the page named it.
            let page = try await self.page(of: source, at: origin)
            let renewed = try await follow(source, page, from: origin)
            guard renewed.endpoint.address != named.endpoint.address else { throw error }
            return try await media(renewed, hasParts: hasParts)
        }
    }

    /// Returns the content at the item's address, which a person may have replaced by a page.
    private func content(
        hasParts: Bool,
        of record: RecordedReference,
        at origin: HTTPClients.Endpoint
    ) async throws -> AddressDownload.Outcome {
        do {
            return try await recognize(hasParts: hasParts, at: origin)
        } catch let error as DownloadError {
            guard error.code == .changed, hasParts, record.isReplaced,
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
            try environment.journal.advance(id, .readPlaylist, .kind(.site))
            return Media(endpoint: named.endpoint, content: .planned(plan), notes: named.notes)
        }
        let content = try await recognize(
            hasParts: hasParts,
            at: named.endpoint,
            notes: named.notes
        )
        return Media(endpoint: named.endpoint, content: .fetched(content), notes: named.notes)
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

    /// An address that a page names, and the sentences for the user about it.
    private struct Named {
        let endpoint: HTTPClients.Endpoint
        let notes: [String]
        let plan: MediaPlan?
    }

    /// Records the address that a page names, and gives the item the title of the page.
    private func follow(
        _ source: any ReferringSource,
        _ page: SourceDocument,
        from origin: HTTPClients.Endpoint
    ) async throws -> Named {
        let references = try await source.references(in: page, with: requests(at: origin))
        guard references.count == 1, let reference = references.first else {
            throw DownloadError(choosingFrom: references, at: page.head.address)
        }
        var notes = reference.notes
        if try RecordedReference(environment: environment, id: id).record(reference.address) {
            notes.append("Started over: the page now names another address.")
        }
        if !reference.chapters.isEmpty {
            try environment.journal.registry.setChapters(reference.chapters, of: id)
        }
        if let picture = reference.picture {
            try await keepCover(at: picture, of: reference.page, from: origin)
        }
        // A title that differs from the one of the address is the person's.
        if let title = reference.title,
            try environment.journal.registry.item(id)?.title == Title(origin: item.origin).text
        {
            try environment.journal.change(id, .title(title))
        }
        let endpoint = origin.referred(by: reference.page, to: reference.address)
        return Named(endpoint: endpoint, notes: notes, plan: reference.plan)
    }
}
