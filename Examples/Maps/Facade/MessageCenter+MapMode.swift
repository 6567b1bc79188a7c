// SPDX-License-Identifier: Apache-2.0
import Tidings

extension MessageCenter {
    /// Observes changes of the map mode, with the old and the new mode.
    func observeMapMode<Owner: AnyObject & Sendable>(
        owner: Owner,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        changed handle: @escaping @MainActor @Sendable (Owner, MapMode, MapMode) -> Void
    ) {
        messages(.mapModeChanged).observe(owner: owner, on: .main, fileID: fileID, line: line) {
            handle($0, $1.old, $1.new)
        }
    }

    func postMapModeChanged(
        from old: MapMode,
        to new: MapMode,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        post(MapModeChanged(old: old, new: new), fileID: fileID, line: line)
    }
}
