// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineMedia
import OfflineModel
import OfflineSources
import OfflineStore
import Tidings
import TidingsFiles
import TidingsHTTP

extension ItemContent {
    /// The longest time to wait for all subtitle files together.
    private static let longestWait = Duration.seconds(60)

    /// Fetches the item and returns the complete file in the work folder, with the subtitles that
    /// the item's page names beside the file.
    func file(at origin: HTTPClients.Endpoint) async throws -> CompleteFile {
        let file = try await media(at: origin)
        try addSubtitles()
        return file
    }

    /// Keeps the subtitles that a page names, until the item is ready.
    ///
    /// An item is complete without these subtitles. Only a cancellation or a failure of the disk
    /// ends the download.
    ///
    /// - Parameters:
    ///   - reference: The media of the page.
    ///   - origin: The endpoint of the item.
    ///   - isNew: Whether stored subtitles belong to another page or film.
    /// - Returns: The sentences for the user about subtitles that are not kept.
    /// - Throws: An error only if the download is cancelled, or if the disk fails.
    func keepSubtitles(
        of reference: MediaReference,
        from origin: HTTPClients.Endpoint,
        isNew: Bool
    ) async throws -> [String] {
        let folder = environment.directory.statedSubtitles(of: id)
        if isNew {
            SystemFile.removeFolder(folder)
            SystemFile.removeFolder(environment.directory.subtitles(of: id))
        }
        let requests = requests(at: origin).referred(by: reference.page)
        let end = ContinuousClock.now + Self.longestWait
        var counts: [String: Int] = [:]
        var notes: [String] = []
        for subtitle in reference.subtitles where subtitle.isKept {
            let code = subtitle.language.flatMap(TrackDescription.languageCode)
            let language = SubtitleLanguage.fileNamePart(code)
            counts[language, default: 0] += 1
            let suffix = LibraryDirectory.subtitleSuffix(language, number: counts[language] ?? 1)
            let path = "\(folder)/\(suffix)"
            if SystemFile.exists(path) { continue }
            guard let address = subtitle.address else { continue }
            let problem =
                item.choice.chapters != nil
                ? "Their file belongs to the whole film."
                : ContinuousClock.now < end
                    ? try await keep(address, at: path, requests)
                    : "The server sends them too slowly."
            guard let problem else { continue }
            notes.append("Subtitles were left out: \(subtitle.title). \(problem)")
        }
        return notes
    }

    /// Fetches a subtitle file and writes the cues as WebVTT.
    ///
    /// - Returns: The reason why the file is not kept, or nil if the file is kept.
    private func keep(
        _ address: WebAddress,
        at path: String,
        _ requests: SourceRequests
    ) async throws -> String? {
        let limit = SubtitleLimits().textBytes
        guard let bytes = try await requests.attachment(at: address, limit: limit) else {
            return "The server did not send them completely."
        }
        let name = address.lastPathComponent.lowercased()
        let content: Data
        do throws(MediaError) {
            content = try await performBlocking { () throws(MediaError) in
                let document =
                    name.hasSuffix(".srt") && !bytes.starts(with: "WEBVTT".utf8)
                    ? try WebVTTDocument(bytes, format: .subRip) : try WebVTTDocument(bytes)
                guard !document.cues.isEmpty else {
                    throw MediaError(.notMedia, "They contain no text.")
                }
                return WebVTTWriter.file(document.cues)
            }
        } catch {
            return error.message
        }
        try SystemFile.makeFolder(environment.directory.work(of: id))
        try SystemFile.makeFolder((path as NSString).deletingLastPathComponent)
        try write(content, to: path)
        return nil
    }

    /// Writes a file under a temporary name first, so that a file with the final name is complete.
    private func write(_ content: Data, to path: String) throws {
        let part = "\(path).part"
        try SystemFile.remove(part)
        try SystemFile.create(part, content: content, rights: FileDescriptor.ordinaryRights)
        try SystemFile.rename(part, to: path)
    }

    /// Adds the kept subtitles to the subtitles of the stream, except in languages that the stream
    /// has.
    private func addSubtitles() throws {
        let directory = environment.directory
        let kept = SystemFile.names(in: directory.statedSubtitles(of: id))
            .filter { $0.hasSuffix(".vtt") }.sorted()
        guard !kept.isEmpty else { return }
        let folder = directory.subtitles(of: id)
        let streams = SystemFile.names(in: folder).filter { !$0.contains(".forced.") }
        let own = Set(streams.map { $0.prefix { $0 != "." } })
        try SystemFile.makeFolder(folder)
        for name in kept where !own.contains(name.prefix { $0 != "." }) {
            let limit = SubtitleLimits().textBytes * 2
            let source = "\(directory.statedSubtitles(of: id))/\(name)"
            guard let content = SystemFile.read(source, limit: limit) else { continue }
            // The file is copied, because a run after a kill joins the stream again.
            try write(content, to: "\(folder)/\(name)")
        }
    }
}
