// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The word in a run's file that records how the run ended: 0 while it runs, 1 after a normal end,
/// and 2 with the signal number in the second byte after an end by a signal.
///
/// The signal handler may write it at any time. The value must not outlive the file's memory.
struct EndMark: Sendable {
    let address: UInt

    /// Replaces the mark if it still has the expected value.
    ///
    /// Atomic; never blocks.
    func replace(_ expected: UInt32, by desired: UInt32) {
        let word = UnsafePointer<Atomic<UInt32>>(bitPattern: address)
        _ = word?.pointee.compareExchange(
            expected: expected.littleEndian,
            desired: desired.littleEndian,
            ordering: .sequentiallyConsistent
        )
    }
}
