// SPDX-License-Identifier: Apache-2.0

/// A moment of a download at which the process may die without losing or repeating work.
///
/// The tests kill the program at each of them.
package enum Checkpoint: String, CaseIterable, Sendable {
    case beforeSegmentRename
    case afterSegmentRename
    case beforeSegmentCommit
    case duringMux
    case beforeFinalRename
    case afterFinalRename
}
