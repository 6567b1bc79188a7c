// SPDX-License-Identifier: Apache-2.0
import OfflineMedia
import OfflineModel
import Tidings

/// The durations of the tracks of a stream that play at the same time.
struct TrackLengths {
    private let tracks: [TrackDescription]
    private let isRecording: Bool
    private let isPart: Bool
    private var seconds: [Double] = []
    private var stated: [Double] = []

    /// Creates durations of zero.
    ///
    /// - Parameters:
    ///   - tracks: The descriptions of the tracks in order.
    ///   - isRecording: Whether each track ends with its own last segment.
    ///   - isPart: Whether each track has the segments that cover a part of the stream.
    init(_ tracks: [TrackDescription], isRecording: Bool, isPart: Bool = false) {
        self.tracks = tracks
        self.isRecording = isRecording
        self.isPart = isPart
    }

    /// Adds the durations of a section.
    ///
    /// - Parameters:
    ///   - files: The files of the tracks in order.
    ///   - stated: The seconds that the playlist of each track states, or 0 without stated
    ///     durations.
    mutating func add(_ files: [MediaProperties], stated: [Double]) {
        let new = Array(repeating: 0.0, count: max(0, files.count - seconds.count))
        (seconds, self.stated) = (seconds + new, self.stated + new)
        for (number, file) in files.enumerated() {
            self.stated[number] += stated[number]
            let isSound = content(number) == .sound || file.video == nil
            let track = isSound ? file.audio : file.video
            seconds[number] += track?.duration ?? file.duration ?? 0
        }
    }

    /// Returns a sentence for each track that ends before the longest track.
    ///
    /// Some streams have the end of only one track. This is an error if the track's own playlist
    /// states more than the segments hold.
    ///
    /// - Throws: `.incomplete` if the stream cannot be used without the rest of the track.
    func notes() throws(MediaError) -> [String] {
        let longest = seconds.max() ?? 0
        var notes: [String] = []
        for (number, length) in seconds.enumerated() {
            let whole = isPart ? promised(number, longest) : longest
            let lacking = whole - length
            let lacksMuch = Self.isMuch(lacking, of: whole)
            // The tracks of a recording end with their own last segments.
            guard lacksMuch || (!isRecording && lacking > max(1, whole / 100)) else { continue }
            let note = StreamNotes.short(name(number), length, of: whole)
            let promised = promised(number, longest)
            if lacksMuch, !isRecording, isNeeded(number),
                Self.isMuch(promised - length, of: promised)
            {
                throw MediaError(
                    .incomplete,
                    "\(note) Choose another quality, or use another address of the content."
                )
            }
            notes.append(note)
        }
        return notes
    }

    private static func isMuch(_ seconds: Double, of whole: Double) -> Bool {
        seconds > max(2, whole / 10)
    }

    /// Returns the seconds that a track must have.
    private func promised(_ number: Int, _ longest: Double) -> Double {
        stated[number] > 0 ? stated[number] : longest
    }

    /// Returns whether a track is not one of several languages.
    private func isNeeded(_ number: Int) -> Bool {
        number == 0 || (number == 1 && content(0) == .pictures)
    }

    private func content(_ number: Int) -> TrackDescription.Content {
        tracks.indices.contains(number) ? tracks[number].content : .everything
    }

    private func name(_ number: Int) -> String {
        guard content(number) == .sound else { return "pictures" }
        guard !isNeeded(number), let language = tracks[number].language else { return "sound" }
        return "sound in \(SubtitleLanguage.title(language))"
    }
}
