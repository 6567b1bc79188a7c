// SPDX-License-Identifier: Apache-2.0
import OfflineModel
import OfflineSources
import OfflineStore
import TidingsHTTP

extension ItemContent {
    /// The sentences of the item's note that also concern a file that starts over.
    private var notesOfItem: [String] {
        [RequestOptions.noteAfterMove].filter { item.note?.contains($0) == true }
    }

    /// Returns the content at an address.
    ///
    /// An item with recorded parts keeps the source. Otherwise, every source inspects the response,
    /// because an address that returned a stream may now return a file. The sources also inspect
    /// the response of a new address, whose other content then replaces the parts. Recordings
    /// always keep the source, because the segments of a recording exist nowhere else.
    func recognize(
        hasParts: Bool,
        at endpoint: HTTPClients.Endpoint,
        choosing choice: MediaChoice? = nil,
        notes: [String] = [],
        extras: StatedExtras = StatedExtras()
    ) async throws -> AddressDownload.Outcome {
        let journal = environment.journal
        let checksum = ChecksumCheck(environment: environment, id: id)
        if hasParts, !replaced.isMarked || item.isRecording,
            let source = environment.sources.describedSource(of: item.kind)
        {
            try checksum.refuse(source.name)
            try journal.advance(id, .readPlaylist)
            let description = try await requests(at: endpoint).fetch(
                endpoint.address,
                for: source,
                otherwise: DownloadError(
                    .changed,
                    "This address no longer returns \(source.name). The received segments are "
                        + "kept: try again later, or remove the item and add its address again."
                )
            )
            return .description(source, description)
        }
        let download = AddressDownload(
            environment: environment,
            endpoint: endpoint,
            id: id,
            notes: notesOfItem + notes,
            choice: choice ?? item.choice,
            extras: extras
        )
        let outcome = try await download.run()
        switch outcome {
        case .whole: break
        case .reference(let source, _): try checksum.refuse(source.name)
        case .description(let source, let description):
            try checksum.refuse(source.name)
            if let title = description.head.titleOfFile {
                try journal.change(id, .title(title, from: .server))
            }
            try journal.advance(id, .readPlaylist, with: .set(\.kind, source.kind))
        }
        return outcome
    }
}
