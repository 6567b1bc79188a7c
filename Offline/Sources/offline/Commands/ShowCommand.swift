// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineMedia
import OfflineModel

/// `offline show`: prints all facts of an item.
struct ShowCommand: Command {
    static var forms: [CommandForm] {
        Form("show", Self(), help: "Shows all facts of an item.")
            .details("These are its file, tracks, subtitles, chapters and notes.")
            .argument(.item, into: \.id)
            .json(into: \.json)
    }

    var id = ItemID(rawValue: 0)
    var json = false

    var showsPreviousCrash: Bool { false }

    func run(in environment: Environment) async throws -> ExitStatus {
        let item = try await ItemDetails.read(id, environment)
        let path = ItemDetails.path(of: item, environment)
        // A file that contains no media has no tracks.
        let media = path == nil ? nil : try? await MediaProbe().probe(path ?? "")
        let tracks = TrackRepresentation.list(media?.tracks ?? [])
        let shown = ShownItem(item: item, path: path, tracks: tracks)
        if json {
            let data = try JSONFormat.encode(shown, pretty: true)
            Terminal.print(String(decoding: data, as: UTF8.self))
        } else {
            Terminal.print(shown.text)
        }
        return .success
    }
}

/// An item with the facts of the file.
struct ShownItem: Encodable {
    let item: ItemRepresentation
    let path: String?
    let tracks: [TrackRepresentation]

    private enum CodingKeys: String, CodingKey {
        case path, tracks
    }

    func encode(to encoder: any Encoder) throws {
        try item.encode(to: encoder)
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encodeIfPresent(path, forKey: .path)
        try values.encode(tracks, forKey: .tracks)
    }

    /// The lines for the user, without control characters.
    var text: String {
        let size = item.size.map(ByteCount.text)
        let duration = item.duration.map(PlayTime.text)
        let facts = [size, duration, item.mediaType].compactMap { $0 }.joined(separator: ", ")
        let lines: [(String, [String])] = [
            ("Item", ["\(item.id)"]), ("Title", [item.title]), ("State", [item.stateAndProgress]),
            ("Waiting", [item.waiting].compactMap { $0 }),
            ("File", [path].compactMap { $0 }), ("Content", [facts].filter { !$0.isEmpty }),
            ("Tracks", tracks.map(\.text)), ("Address", [item.address]),
            ("Quality", [item.quality]),
            ("Subtitles", (item.subtitleFiles ?? []).map { "\($0.name): \($0.fileName)" }),
            ("Chapters", (item.chapters ?? []).map { "\(PlayTime.text($0.start)) \($0.title)" }),
            ("Note", [item.note].compactMap { $0 }),
            ("Error", [item.error?.message].compactMap { $0 }),
        ]
        return lines.flatMap { name, values in
            values.enumerated().map { number, value in
                let label = number == 0 ? "\(name):" : ""
                let space = String(repeating: " ", count: 11 - label.count)
                return label + space + Terminal.clean(value)
            }
        }.joined(separator: "\n")
    }
}
