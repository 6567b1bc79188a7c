// SPDX-License-Identifier: Apache-2.0
import OfflineMedia
import OfflineModel
import TidingsLock

/// The lines of a terminal that show the items of a command.
///
/// Any task may change the lines.
final class ProgressDisplay: Sendable {
    private struct State {
        var block: ProgressBlock
        /// The number of lines that the terminal shows now.
        var shown = 0
    }

    private let state: Lock<State>

    /// Creates a display, which shows nothing yet.
    ///
    /// - Parameter count: The number of items.
    init(count: Int) {
        state = Lock(State(block: ProgressBlock(count: count)))
    }

    /// Shows the progress of an item.
    func show(_ item: ItemRepresentation) {
        state.withLock { $0.block.update(item) }
        draw()
    }

    /// Removes the lines, and an item that has ended, so that results can be printed.
    func clear(_ ended: ItemID? = nil) {
        let shown = state.withLock { state in
            if let ended { state.block.end(ended) }
            defer { state.shown = 0 }
            return state.shown
        }
        Terminal.show([""], over: shown)
    }

    /// Draws the lines again.
    func draw() {
        guard Terminal.isInteractive else { return }
        let (width, height) = (Terminal.width, Terminal.height)
        let (lines, shown) = state.withLock { state in
            let lines = state.block.lines(width: width, height: height)
            defer { state.shown = lines.count }
            return (lines, state.shown)
        }
        if !lines.isEmpty { Terminal.show(lines, over: shown) }
    }
}
