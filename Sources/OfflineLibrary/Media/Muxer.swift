import Foundation
// SPDX-License-Identifier: Apache-2.0
import Tidings

/// Joins the segments of a stream into one MP4, without encoding anything anew.
///
/// This process feeds the segments through a pipe: ffmpeg learns no name but the output's, and can
/// open no other.
package struct Muxer: Sendable {
    /// What the segments are made of.
    package enum SegmentContainer: String, Hashable, Sendable {
        case mpegTS
        /// The initialisation section first, as the first segment, then the fragments.
        case fragmentedMP4
        case aac
        case mp3

        /// Creates the container of a segment's kind, nil if such segments cannot be joined.
        package init?(_ kind: ContentKind) {
            switch kind {
            case .mpegTS: self = .mpegTS
            case .mp4, .m4a, .quickTime, .fragmentedMP4Segment: self = .fragmentedMP4
            case .aac: self = .aac
            case .mp3: self = .mp3
            default: return nil
            }
        }
    }

    /// What is known of the segments before they are joined.
    package enum Completeness: Hashable, Sendable {
        /// Every segment has the length its server announced. Flaws are the publisher's and stay.
        case proven
        /// Some may be cut: anything that looks like it is a failure.
        case unproven
    }

    private let searchPath: String?

    /// Creates a muxer.
    ///
    /// - Parameter searchPath: Where to look for ffmpeg, in place of the environment's `PATH`.
    package init(searchPath: String? = nil) {
        self.searchPath = searchPath
    }

    /// Joins segments into a file, which is replaced; after an error there is none.
    ///
    /// The file is neither synced nor checked: probe it before it is given its final name.
    ///
    /// - Parameters:
    ///   - segments: The absolute paths in order.
    ///   - kind: What the segments are made of.
    ///   - output: The absolute path of the file to make.
    ///   - discontinuities: The indexes of segments before which timestamps may start anew.
    ///   - completeness: How strictly to look for damage.
    ///   - progress: Called on a thread of its own with the bytes read so far and their total.
    /// - Throws: `.noSpace`, `.cannotRead`, `.notMedia`, `.toolMissing`, `.timedOut`, `.cancelled`…
    package func mux(
        segments: [String],
        kind: SegmentContainer,
        into output: String,
        discontinuities: Set<Int> = [],
        completeness: Completeness = .unproven,
        progress: @escaping @Sendable (_ fed: Int64, _ total: Int64) -> Void = { _, _ in }
    ) async throws(MediaError) {
        let total = try Self.totalBytes(segments)
        let target = try MediaFormats.argument(output)
        let isStrict = completeness == .unproven
        let reading = kind.inputArguments(
            isStrict: isStrict,
            repairsTime: !discontinuities.isEmpty
        )
        let child = ChildProcess(
            executable: try MediaTool.ffmpeg.path(in: searchPath),
            arguments: reading + kind.outputArguments + ["-y", target],
            input: .files(
                segments,
                filter: kind.filter(discontinuities: discontinuities, check: isStrict)
            ),
            limits: Self.limits(total)
        )
        unlink(output)
        do throws(MediaError) {
            let result = try await child.run { progress(min($0, total), total) }
            if let error = MediaError(result, of: "ffmpeg") { throw error }
            guard result.tookAllInput else {
                throw MediaError(
                    .notMedia,
                    "ffmpeg read only \(result.fedBytes) of \(total) bytes of the stream."
                )
            }
        } catch {
            unlink(output)
            throw error
        }
    }

    private static func totalBytes(_ segments: [String]) throws(MediaError) -> Int64 {
        var total: Int64 = 0
        for segment in segments {
            total += try Descriptor.reading(segment).length(segment)
        }
        return total
    }

    /// A remux reads about 300 MB/s; these allow a machine a hundred times slower.
    private static func limits(_ total: Int64) -> ChildProcess.Limits {
        var limits = ChildProcess.Limits()
        limits.cpuSeconds = 60 + Int(total >> 21)
        limits.wallClock = .seconds(300 + total >> 20)
        limits.fileBytes = total * 2 + 64 << 20
        return limits
    }
}
