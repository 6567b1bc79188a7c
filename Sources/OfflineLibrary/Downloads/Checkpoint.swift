// SPDX-License-Identifier: Apache-2.0

/// A moment of a download at which the process may die without losing or repeating work.
///
/// The tests kill the program at each of them.
package enum Checkpoint: String, CaseIterable, Sendable {
    /// A new version of a file is recorded, and no byte of it is written.
    case afterVersionCommit
    case beforeSegmentRename
    case afterSegmentRename
    case beforeSegmentCommit
    case duringMux
    case beforeFinalRename
    case afterFinalRename
}
