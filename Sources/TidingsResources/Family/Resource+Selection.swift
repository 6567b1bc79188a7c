// SPDX-License-Identifier: Apache-2.0
import Tidings

extension Resource {
    /// Selects the states, with data of another resource to show first, if there is any.
    ///
    /// The selection keeps the resource alive, not only its publisher.
    func states(after previous: PreviousData<Value>?) -> Selection<LoadState<Value>> {
        publisher.states(
            previous.map { previous in { @Sendable state in previous.shown(in: state) } },
            didObserve: { [self] in
                // Repeated here, because the notification of the first observer may come late while
                // another thread releases the entry.
                if isObserved { entry?.observersCame(to: self) }
            }
        )
    }
}
