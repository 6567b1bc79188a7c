// SPDX-License-Identifier: Apache-2.0
import COfflineChild
import Glibc

/// Writes files or bytes to the standard input of a child, as fast as the child reads.
final class ChildInputWriter {
    /// The outcome of one write.
    enum Progress {
        case wrote(Int)
        /// All of the input is written.
        case finished
        /// The child closed the input. The exit status shows the reason.
        case closed
    }

    /// A multiple of the size of a transport stream packet, slightly under 1 MiB.
    private static let bufferLength = 188 * 5577

    private let pipe: OwnedDescriptor
    private var source: SegmentSource
    private var buffer: [UInt8] = []
    private var position = 0

    /// Creates a writer, or returns nil for an input of `.none`, which closes the pipe immediately.
    init?(_ input: ChildProcess.Input, into pipe: OwnedDescriptor) {
        switch input {
        case .none:
            return nil
        case .files(let paths, let filter):
            source = SegmentSource(paths, filter: filter)
        case .bytes(let bytes):
            source = SegmentSource([], filter: .none)
            buffer = bytes
        }
        offline_child_widen_pipe(pipe.raw)
        self.pipe = pipe
    }

    /// The contents of the segments that were written.
    var contents: [SegmentContents] { source.contents }

    /// The damage that the written segments show together.
    var damage: MediaError? { source.damage }

    /// The descriptor to poll for write readiness.
    var descriptor: Int32 { pipe.raw }

    /// Writes as many bytes as fit into the pipe.
    func writeAvailable() throws(MediaError) -> Progress {
        if position == buffer.count {
            position = 0
            try source.fill(&buffer, length: Self.bufferLength)
            if buffer.isEmpty { return .finished }
        }
        let count = buffer.withUnsafeBytes { bytes in
            write(pipe.raw, bytes.baseAddress.map { $0 + position }, bytes.count - position)
        }
        if count < 0, errno == EAGAIN || errno == EINTR { return .wrote(0) }
        guard count >= 0 else { return .closed }
        position += count
        return .wrote(count)
    }
}
