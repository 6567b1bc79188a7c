// SPDX-License-Identifier: Apache-2.0
// expect: replaced by 'publisher.observe(_:)'
import Tidings
import TidingsResources

func start(_ names: Resource<[String]>) -> ObservationToken {
    names.observe { state in print(state) }
}
