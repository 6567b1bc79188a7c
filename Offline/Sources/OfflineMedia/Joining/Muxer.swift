// SPDX-License-Identifier: Apache-2.0
import Foundation
package import OfflineModel
import Tidings

/// Joins the segments of a stream into one MP4 file without encoding again.
///
/// This process writes the segments to a pipe. ffmpeg receives no file name except the output's,
/// and cannot open any other file. A single MP4 segment is an exception: ffmpeg opens this file
/// directly, because the index may be at the end.
package struct Muxer: Sendable {
    /// The format of the segments.
    package enum SegmentContainer: String, Hashable, Sendable {
        /// MPEG transport stream.
        case mpegTS
        /// MP4 fragments, of which the first segment is the initialization section.
        case fragmentedMP4
        /// AAC frames in ADTS.
        case aac
        /// MP3 frames.
        case mp3

        /// Creates the container for a kind of segment, or returns nil if such segments cannot be
        /// joined.
        package init?(_ kind: ContentKind) {
            switch kind {
            case .mpegTS: self = .mpegTS
            case .mp4, .m4a, .quickTime, .fragmentedMP4Segment: self = .fragmentedMP4
            case .aac: self = .aac
            case .mp3: self = .mp3
            case .hlsPlaylist, .dash, .html, .feed, .matroska, .webm, .ogg, .flac, .wav, .avi,
                .flv, .vtt, .jpeg, .png, .gif, .webp, .avif, .heic, .pdf, .zip, .epub, .gzip, .text,
                .unknown:
                return nil
            }
        }
    }

    /// Whether the segments are known to be complete.
    package enum Completeness: Hashable, Sendable {
        /// Every segment has the length that its server announced. Remaining flaws come from the
        /// publisher and are copied.
        case proven
        /// A segment may be truncated, so signs of damage are an error.
        case unproven
    }

    /// The place of the index in a file.
    package enum IndexPlace: Hashable, Sendable {
        /// Before the media, so that a player can start immediately. ffmpeg then writes the file
        /// twice.
        case start
        /// After the media.
        case end

        /// The options that place the index.
        var arguments: [String] { self == .start ? ["-movflags", "+faststart"] : [] }
    }

    private let searchPath: String?

    /// Creates a muxer.
    ///
    /// - Parameter searchPath: The folders to search for ffmpeg, or nil for the environment's
    ///   `PATH`.
    package init(searchPath: String? = nil) {
        self.searchPath = searchPath
    }

    /// Joins segments whose timestamps and tracks continue from one segment to the next.
    ///
    /// The method replaces an existing file. After an error the output does not exist. The method
    /// neither syncs nor verifies the file, so compare the file with the returned contents.
    ///
    /// - Parameters:
    ///   - segments: The absolute paths in order.
    ///   - kind: The format of the segments.
    ///   - output: The absolute path of the file to write.
    ///   - completeness: How strictly to check for damage.
    ///   - index: Where to write the index of the file.
    ///   - keepsTimes: Whether the file starts at the first time of the segments instead of 0.
    ///   - longestJump: The longest time in seconds that the segments are known to lack.
    ///   - progress: Called on a private thread with the bytes read so far and the total.
    /// - Returns: The contents of each segment, or an empty array if the format does not show the
    ///   contents.
    /// - Throws: `.noSpace`, `.cannotRead`, `.notMedia`, `.tooLarge`, `.toolMissing`, `.timedOut`,
    ///   `.failed` or `.cancelled`.
    @discardableResult
    package func mux(
        segments: [String],
        kind: SegmentContainer,
        into output: String,
        completeness: Completeness = .unproven,
        index: IndexPlace = .start,
        keepsTimes: Bool = false,
        longestJump: Double = 0,
        progress: @escaping @Sendable (_ fed: Int64, _ total: Int64) -> Void = { _, _ in }
    ) async throws(MediaError) -> [SegmentContents] {
        let total = try Self.totalBytes(segments)
        let target = try MediaFormats.argument(output)
        let isStrict = completeness == .unproven
        // A pipe cannot go back to the media before the index.
        let isFile = kind == .fragmentedMP4 && segments.count == 1
        let file = isFile ? try MediaFormats.argument(segments[0]) : nil
        let child = ChildProcess(
            executable: try MediaTool.ffmpeg.path(in: searchPath),
            arguments: (keepsTimes ? ["-copyts"] : []) + Self.jumpArguments(longestJump)
                + kind.inputArguments(from: file, isStrict: isStrict) + kind.outputArguments
                + MovieTags.placeholder + index.arguments + ["-f", "mp4", "-y", target],
            input: isFile ? .none : .files(segments, filter: kind.filter(check: isStrict)),
            limits: Self.limits(total)
        )
        unlink(output)
        do throws(MediaError) {
            let result = try await child.run { progress(min($0, total), total) }
            if let error = MediaError(result, of: "ffmpeg") { throw error }
            guard result.consumedAllInput else {
                throw MediaError(
                    .notMedia,
                    "ffmpeg read only \(result.consumedInputBytes) of \(total) bytes of the stream."
                )
            }
            if isFile { progress(total, total) }
            return kind == .fragmentedMP4 ? Self.contents(segments) : result.inputContents
        } catch {
            unlink(output)
            throw error
        }
    }

    /// The options that keep the times after a jump.
    ///
    /// By default, ffmpeg closes a jump of more than ten seconds.
    private static func jumpArguments(_ longestJump: Double) -> [String] {
        guard longestJump > 0 else { return [] }
        return ["-dts_delta_threshold", "\(20 + Int(min(longestJump, 1e6).rounded(.up)))"]
    }

    /// Returns the contents of MP4 fragments after the initialization section.
    private static func contents(_ segments: [String]) -> [SegmentContents] {
        var reader = FragmentReader()
        return segments.map { reader.read($0) }
    }

    private static func totalBytes(_ segments: [String]) throws(MediaError) -> Int64 {
        var total: Int64 = 0
        for segment in segments {
            total += try OwnedDescriptor.reading(segment).length(segment)
        }
        return total
    }

    /// Limits for a machine that is a hundred times slower than a remux at about 300 MB/s.
    static func limits(_ total: Int64) -> ChildProcess.Limits {
        var limits = ChildProcess.Limits()
        limits.cpuSeconds = 60 + Int(total >> 21)
        limits.wallClock = .seconds(300 + total >> 20)
        limits.fileBytes = total * 2 + 64 << 20
        return limits
    }
}
