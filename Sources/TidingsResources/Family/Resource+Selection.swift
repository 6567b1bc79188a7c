// SPDX-License-Identifier: Apache-2.0
import Tidings

extension Resource {
    /// Selects the states, and shows data of another resource first, if present.
    ///
    /// The selection keeps the resource and its publisher alive.
    func states(after previous: PreviousData<Value>?) -> Selection<LoadState<Value>> {
        publisher.states(
            previous.map { previous in { @Sendable state in previous.shown(in: state) } },
            didObserve: { [self] in
                // The call is repeated here, because the notification of the first observer may
                // come late while another thread releases the entry.
                if isObserved { entry?.observersCame(to: self) }
            }
        )
    }
}
