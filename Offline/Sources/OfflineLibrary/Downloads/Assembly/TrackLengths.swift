// SPDX-License-Identifier: Apache-2.0
import Tidings

/// The durations of the tracks of a stream that play at the same time.
struct TrackLengths {
    private let tracks: [TrackDescription]
    private let isRecording: Bool
    private var seconds: [Double] = []

    /// Creates durations of zero.
    init(_ tracks: [TrackDescription], isRecording: Bool) {
        self.tracks = tracks
        self.isRecording = isRecording
    }

    /// Adds the durations of a section, whose files are those of the tracks in order.
    mutating func add(_ files: [MediaProperties]) {
        seconds += Array(repeating: 0, count: max(0, files.count - seconds.count))
        for (number, file) in files.enumerated() {
            let isSound = content(number) == .sound || file.video == nil
            let track = isSound ? file.audio : file.video
            seconds[number] += track?.duration ?? file.duration ?? 0
        }
    }

    /// Returns a sentence for each track that ends before the longest one.
    ///
    /// - Throws: `.incomplete` if the stream cannot be used without the rest of the track.
    func notes() throws(MediaError) -> [String] {
        let longest = seconds.max() ?? 0
        var notes: [String] = []
        for (number, length) in seconds.enumerated() {
            let lacking = longest - length
            let lacksMuch = lacking > max(2, longest / 10)
            // The tracks of a recording end with their own last segments.
            guard lacksMuch || (!isRecording && lacking > max(1, longest / 100)) else { continue }
            let note = StreamNotes.short(name(number), length, of: longest)
            if lacksMuch, !isRecording, isNeeded(number) {
                throw MediaError(
                    .incomplete,
                    "\(note) Choose another quality, or use another address of the content."
                )
            }
            notes.append(note)
        }
        return notes
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
