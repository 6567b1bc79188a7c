// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The word in a run's file that records how the run ended.
///
/// The word is 0 during the run, 1 after a normal end, and 2 with the signal number in the second
/// byte after an end by a signal. The signal handler may write the word at any time. The value must
/// not outlive the file's memory.
struct EndMark: Sendable {
    let address: UInt

    /// Replaces the mark if the expected value is still there.
    ///
    /// The replacement is atomic and never blocks.
    func replace(_ expected: UInt32, by desired: UInt32) {
        let word = UnsafePointer<Atomic<UInt32>>(bitPattern: address)
        _ = word?.pointee.compareExchange(
            expected: expected.littleEndian,
            desired: desired.littleEndian,
            ordering: .sequentiallyConsistent
        )
    }
}
