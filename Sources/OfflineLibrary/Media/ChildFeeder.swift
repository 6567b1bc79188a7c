// SPDX-License-Identifier: Apache-2.0
import CTidingsChild
import Glibc

/// Writes files to a pipe as fast as the other side reads.
final class ChildFeeder {
    enum Progress {
        case wrote(Int)
        case ended
        /// The program has closed its input; its status tells why.
        case refused
    }

    /// A whole number of packets of a transport stream, a little under 1 MiB.
    private static let bufferLength = 188 * 5577

    private let pipe: Descriptor
    private var source: SegmentSource
    private var buffer: [UInt8] = []
    private var position = 0

    /// Creates a feeder, or nil if there is nothing to feed; then the pipe closes at once.
    init?(_ input: ChildProcess.Input, into pipe: Descriptor) {
        guard case .files(let paths, let filter) = input else { return nil }
        tidings_child_widen_pipe(pipe.raw)
        self.pipe = pipe
        source = SegmentSource(paths, filter: filter)
    }

    /// The pipe, to wait on.
    var descriptor: Int32 { pipe.raw }

    /// Writes what the pipe takes now.
    func pump() throws(MediaError) -> Progress {
        if position == buffer.count {
            position = 0
            try source.fill(&buffer, length: Self.bufferLength)
            if buffer.isEmpty { return .ended }
        }
        let count = buffer.withUnsafeBytes { bytes in
            write(pipe.raw, bytes.baseAddress.map { $0 + position }, bytes.count - position)
        }
        if count < 0, errno == EAGAIN || errno == EINTR { return .wrote(0) }
        guard count >= 0 else { return .refused }
        position += count
        return .wrote(count)
    }
}
